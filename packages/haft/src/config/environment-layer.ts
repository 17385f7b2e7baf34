import { nearestNames } from "@haft/contract"
import type { ConfigEntry } from "./config-file.js"
import type { Layer } from "./layer.js"
import type { Environment } from "./places.js"
import { settingOf } from "./setting.js"
import { parseSettingText } from "./setting-value.js"

/** Variables that set something, by name. */
export const variables: Readonly<Record<string, string>> = {
  HAFT_MODE: "mode",
  HAFT_TOOLSET: "toolset",
  HAFT_SANDBOX: "sandbox",
  HAFT_LANG: "language",
}
const limitPrefix = "HAFT_LIMIT_"
const otherVariables = ["HAFT_HOME", "HAFT_CONFIG", "HAFT_ACCESSIBLE", "HAFT_DEBUG", "HAFT_TOKEN"]

/** The settings that the environment makes; one layer a variable, so that each is named in messages. */
export function environmentLayers(env: Environment): readonly Layer[] {
  const layers: Layer[] = []
  for (const [name, text] of Object.entries(env)) {
    if (!name.startsWith("HAFT_") || text === undefined || text === "") continue
    const key = variables[name] ?? limitKey(name)
    if (key) layers.push({ scope: "environment", name, entries: [entryOf(key, name, text)], rules: [] })
  }
  return layers
}

/** Names that look like a misspelt variable of Haft: the user who set one believes that something was tightened. */
export function misspeltVariables(env: Environment): readonly { readonly name: string; readonly meant: string }[] {
  const known = [...Object.keys(variables), ...otherVariables]
  return Object.keys(env).flatMap((name) => {
    if (!name.startsWith("HAFT_") || known.includes(name) || name.startsWith(limitPrefix)) return []
    const [meant] = nearestNames(
      name.slice(5),
      known.map((other) => other.slice(5)),
      1,
    )
    return meant ? [{ name, meant: `HAFT_${meant}` }] : []
  })
}

function limitKey(name: string): string | undefined {
  const tool = name.startsWith(limitPrefix) ? name.slice(limitPrefix.length).toLowerCase() : ""
  return tool === "" ? undefined : `limits.${tool}`
}

function entryOf(key: string, name: string, text: string): ConfigEntry {
  return { key, value: parseSettingText(settingOf(key)!, name, text), line: 0 }
}
