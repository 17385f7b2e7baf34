import { nearestNames, type Settings, type SettingValue, ToolError } from "@haft/contract"
import { setSetting } from "./edit-config-file.js"
import type { Configuration } from "./load-configuration.js"
import { readableSettings } from "./readable-settings.js"
import { settingOf } from "./setting.js"
import { parseSettingText, valueProblem } from "./setting-value.js"

/** What the tool `config` stands on. */
export interface ToolSettingsOptions {
  readonly configuration: Configuration
  readonly roots: readonly string[]
  /** The user's own file, which display settings are written to. */
  readonly userFile: string
}

/** Settings that change how things look and nothing else: the only ones that a tool may set. */
export const displaySettings = ["language", "theme", "verbosity", "notification"] as const

/** The configuration as a tool may see it: everything in redacted form, display settings to be set. */
export function toolSettings(options: ToolSettingsOptions): Settings {
  const { configuration, roots, userFile } = options
  // What was set in this session holds at once; the files were read when it began.
  const changed = new Map<string, unknown>()
  const known = (setting: string): SettingValue => {
    const readable = readableSettings({ configuration, roots, changed })
    const value = readable.get(setting)
    if (value === undefined) throw unknownSetting(setting, readable.keys())
    return value
  }
  return {
    get: async (setting) => known(setting),
    async set(setting, value) {
      const previous = known(setting)
      if (!isDisplaySetting(setting)) throw notForTools(setting)
      const fitting = fittingValue(setting, value)
      setSetting({ path: userFile, scope: "user" }, setting, fitting)
      changed.set(setting, fitting)
      return { value: fitting, previous }
    },
  }
}

function isDisplaySetting(setting: string): boolean {
  return (displaySettings as readonly string[]).includes(setting)
}

function fittingValue(key: string, value: SettingValue): SettingValue {
  const setting = settingOf(key)!
  if (typeof value === "string") return parseSettingText(setting, key, value) as SettingValue
  const problem = valueProblem(setting.type, value)
  if (problem) throw new ToolError("invalid_args", `Cannot set "${key}" to ${JSON.stringify(value)}: ${problem}`)
  return value
}

function unknownSetting(setting: string, known: Iterable<string>): ToolError {
  const names = [...known]
  const near = nearestNames(setting, names)
  return new ToolError("not_found", `Cannot find setting "${setting.slice(0, 200)}": there is no such key`, {
    hint: near.length > 0 ? `Did you mean ${near.join(" or ")}?` : `Known: ${names.join(", ")}`,
    details: { near },
  })
}

function notForTools(setting: string): ToolError {
  return new ToolError(
    "denied",
    `Cannot set "${setting}": it decides about what is allowed, so only a person may set it`,
    {
      hint: `Tools may set ${displaySettings.join(", ")}; a person sets others with: haft config set`,
    },
  )
}
