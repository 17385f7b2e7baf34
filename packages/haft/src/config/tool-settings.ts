import { nearestNames, type Settings, type SettingValue, ToolError } from "@haft/contract"
import { setSetting } from "./edit-config-file.js"
import type { Configuration } from "./load-configuration.js"
import { settingOf, settings } from "./setting.js"
import { isPlainObject, parseSettingText, valueProblem } from "./setting-value.js"

/** What the tool `config` needs. */
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

/** What is known about this session's configuration. */
interface ReadableRequest {
  readonly configuration: Configuration
  readonly roots: readonly string[]
  /** Values that were set since the files were read. */
  readonly changed: ReadonlyMap<string, unknown>
}

/** Every setting by key without secrets: single ones, groups such as `webSearch`, and what is no setting but decides too. */
function readableSettings({ configuration, roots, changed }: ReadableRequest): ReadonlyMap<string, SettingValue> {
  const values = new Map([...configuration.values, ...changed])
  const readable = new Map<string, SettingValue>()
  for (const { key } of settings) {
    if (key.endsWith(".*")) readable.set(key.slice(0, -2), members(values, key.slice(0, -1)))
    else readable.set(key, shown(key, values.get(key)))
    for (const group of groupsOf(key)) readable.set(group, members(values, `${group}.`))
  }
  for (const [key, value] of values) readable.set(key, shown(key, value))
  readable.set("rules", configuration.rules.map(ruleText))
  readable.set("roots", [...roots])
  readable.set("trust", Object.fromEntries(configuration.folders.map(({ root, trust }) => [root, trust])))
  return readable
}

/** `a` and `a.b` for the key `a.b.c`. */
function groupsOf(key: string): readonly string[] {
  const parts = key.split(".").slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join("."))
}

function members(values: ReadonlyMap<string, unknown>, prefix: string): SettingValue {
  const found = [...values].filter(([key]) => key.startsWith(prefix))
  return Object.fromEntries(found.map(([key, value]) => [key.slice(prefix.length), shown(key, value)]))
}

function shown(key: string, value: unknown): SettingValue {
  return value === undefined ? null : (hideSecrets(value, key) as SettingValue)
}

function ruleText({ action, permission, pattern, source }: Configuration["rules"][number]): string {
  return `${action} ${permission}${pattern === undefined ? "" : `(${pattern})`} [${source.scope}]`
}

const hidden = "[hidden]"

// Everything below these is hidden, whatever it is called: people put keys there.
const secretPlaces = /(?:^|\.)(?:env|headers|args)$/i
const secretNames = /(?:pass(?:word|wd)?|secret|token|api[-_]?key|private[-_]?key|credential|authorization|cookie)/i

/** A value of the configuration without what nobody but its owner should read. Names stay: they say that something is set. */
export function hideSecrets(value: unknown, key = ""): unknown {
  if (typeof value === "string") return secretNames.test(lastPart(key)) ? hidden : withoutCredentials(value)
  if (Array.isArray(value)) return value.map((item) => hideSecrets(item, key))
  if (!isPlainObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const place = key === "" ? name : `${key}.${name}`
      return [name, secretPlaces.test(place) ? emptied(member) : hideSecrets(member, place)]
    }),
  )
}

function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(() => hidden)
  if (!isPlainObject(value)) return hidden
  return Object.fromEntries(Object.keys(value).map((name) => [name, hidden]))
}

/** An address without user name, password and the values of its query. */
function withoutCredentials(text: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text
  if (!URL.canParse(text)) return hidden
  const url = new URL(text)
  const address = `${url.protocol}//${url.username !== "" || url.password !== "" ? `${hidden}@` : ""}${url.host}${url.pathname}`
  const names = [...new Set(url.searchParams.keys())]
  return names.length === 0 ? address : `${address}?${names.map((name) => `${name}=${hidden}`).join("&")}`
}

function lastPart(key: string): string {
  return key.slice(key.lastIndexOf(".") + 1)
}
