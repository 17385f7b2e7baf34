import { ToolError } from "@haft/contract"
import type { BoxLevel } from "../refusal.js"
import type { BoxBackend } from "./backend.js"

/** A level that the order of backends knows and this version cannot run: named in refusals, and never used. */
export function missingBackend(name: string, level: BoxLevel): BoxBackend {
  const why = "this version of Haft has no such backend"
  return {
    name,
    level,
    probe: async () => ({ backend: name, level, ok: false, why }),
    async run() {
      throw new ToolError("unsupported", `Cannot open a box with "${name}": ${why}`)
    },
  }
}
