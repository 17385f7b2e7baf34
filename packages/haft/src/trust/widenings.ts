import { ruleHash, sourceOf } from "../config/combine-layers.js"
import type { Layer } from "../config/layer.js"
import type { Configuration } from "../config/load-configuration.js"
import { settingOf } from "../config/setting.js"
import { entryHash } from "./entry-hash.js"

/** An entry of a project file that counts only with trust. */
export interface Widening {
  readonly hash: string
  /** File and line. */
  readonly source: string
  readonly words: string
  /** True when the folder is trusted with it already. */
  readonly active: boolean
}

/** Every entry of the project files that needs trust. */
export function widenings({ layers, sayings }: Configuration): readonly Widening[] {
  return layers.filter(isOfProject).flatMap((layer) => [
    ...layer.rules.flatMap((rule) => {
      if (rule.action === "deny") return []
      const hash = ruleHash(layer, rule)
      // Without trust an ask only narrows; with it, it also asks where a built-in rule would deny.
      const words = `${rule.action} ${rule.permission}${rule.pattern ? `(${rule.pattern})` : ""}`
      return [{ hash, source: `${layer.name}:${rule.source.line}`, words, active: layer.trusted?.has(hash) ?? false }]
    }),
    ...layer.entries.flatMap((entry) => {
      const { key, value } = entry
      const hash = entryHash(layer.scope, key, value)
      const active = layer.trusted?.has(hash) ?? false
      const source = sourceOf(layer, entry)
      const ignored = sayings.some((saying) => !saying.taken && saying.key === key && saying.source === source)
      const needsTrust = settingOf(key)?.from === "trusted"
      return needsTrust && (ignored || active)
        ? [{ hash, source, words: `${key} = ${JSON.stringify(value)}`, active }]
        : []
    }),
  ])
}

type ProjectLayer = Layer & { readonly scope: "project" | "local" }

function isOfProject(layer: Layer): layer is ProjectLayer {
  return layer.scope === "project" || layer.scope === "local"
}
