import { nearestNames, ToolError } from "@haft/contract"
import { type Setting, settingOf, settings } from "../../config/setting.js"

/** The setting of that key. An unknown one is an error that names the nearest. */
export function knownKey(key: string): Setting {
  const setting = settingOf(key)
  if (setting) return setting
  if (key === "rules") {
    throw new ToolError("invalid_args", 'Cannot show "rules" as one value: rules of all files add up', {
      hint: "Use: haft rule list",
    })
  }
  const known = ["rules", ...settings.map((candidate) => candidate.key)]
  const near = nearestNames(key, known)
  throw new ToolError("invalid_args", `Cannot find setting "${key}": there is no such key`, {
    hint: near.length > 0 ? `Did you mean ${near.join(" or ")}?` : `Known: ${known.join(", ")}`,
  })
}
