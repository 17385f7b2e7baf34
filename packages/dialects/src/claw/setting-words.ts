import { ToolError } from "@haft/contract"

/** A setting under another name and with other words for its values. */
interface SettingWords {
  readonly ours: string
  toOurs(value: SettingInput): SettingInput
  toTheirs(value: unknown): unknown
}

type SettingInput = string | boolean | number

const modes: readonly (readonly [theirs: string, ours: string])[] = [
  ["default", "ask"],
  ["acceptEdits", "accept-edits"],
]

const settings: ReadonlyMap<string, SettingWords> = new Map<string, SettingWords>([
  ["preferredNotifChannel", { ours: "notification", toOurs: (value) => value, toTheirs: (value) => value }],
  [
    "verbose",
    {
      ours: "verbosity",
      toOurs: (value) => (truth("verbose", value) ? "verbose" : "normal"),
      toTheirs: (value) => (typeof value === "string" ? value === "verbose" : value),
    },
  ],
  [
    "permissions.defaultMode",
    {
      ours: "mode",
      toOurs: (value) => modes.find(([theirs]) => theirs === value)?.[1] ?? value,
      toTheirs: (value) => modes.find(([, ours]) => ours === value)?.[0] ?? value,
    },
  ],
])

/** How our settings call one of theirs; most have the same name and the same values. */
export function settingWords(setting: string): SettingWords {
  const name = setting.trim()
  return settings.get(name) ?? { ours: name, toOurs: (value) => value, toTheirs: (value) => value }
}

function truth(setting: string, value: SettingInput): boolean {
  const word = typeof value === "string" ? value.trim().toLowerCase() : value
  if (word === true || word === "true") return true
  if (word === false || word === "false") return false
  throw new ToolError("invalid_args", `Cannot set "${setting}" to ${JSON.stringify(value)}: it requires true or false`)
}
