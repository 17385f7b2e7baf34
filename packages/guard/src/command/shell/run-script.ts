import { parseText } from "./parse-text.js"
import { type Scope, subshell } from "./scope.js"
import type { Walk } from "./walk.js"

/** Walks the whole text of a shell. */
export function runScript(walk: Walk, scope: Scope): void {
  walk.visit.script(walk, scope, parseText(walk, scope.source))
  // What was never called may be called in a way that is not seen, so its body counts by itself.
  for (const definitions of scope.functions.values()) {
    for (const definition of definitions) {
      if (!definition.called) {
        walk.visit.compound(
          walk,
          subshell(scope, { source: definition.source, positional: undefined }),
          definition.body,
        )
      }
    }
  }
}
