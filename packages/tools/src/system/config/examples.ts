import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `config` promises, for a user with a fresh configuration. */
export const examples: readonly Example<typeof manifest>[] = [
  { name: "read a setting", input: { setting: "language" }, output: { setting: "language", value: "en" } },
  {
    name: "set a display setting",
    input: { setting: "theme", value: "dark" },
    output: { setting: "theme", value: "dark", previous_value: "auto" },
  },
  { name: "a setting that no tool may set", input: { setting: "mode", value: "auto" }, fails: "denied" },
  { name: "a setting that does not exist", input: { setting: "colour" }, fails: "not_found" },
]
