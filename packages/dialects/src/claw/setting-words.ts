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
      // Refused before it is translated.
      toOurs: (value) => value,
      toTheirs: (value) => modes.find(([, ours]) => ours === value)?.[0] ?? value,
    },
  ],
])

// Each steers something that claw-code has and Haft has not.
const withoutMeaning = [
  ...["editorMode", "autoCompactEnabled", "fileCheckpointingEnabled", "showTurnDuration", "terminalProgressBarEnabled"],
  ...["todoFeatureEnabled", "teammateMode", "autoMemoryEnabled", "autoDreamEnabled", "alwaysThinkingEnabled"],
]

/** How our settings call one of theirs; most have the same name and the same values. */
export function settingWords(setting: string): SettingWords {
  const name = setting.trim()
  if (withoutMeaning.includes(name)) {
    throw new ToolError("unsupported", `Cannot use the setting "${name}": nothing here does what it steers`, {
      hint: "Go on without it",
    })
  }
  return settings.get(name) ?? { ours: name, toOurs: (value) => value, toTheirs: (value) => value }
}

/** Refuses what no call may set, under the name that the caller knows. */
export function assertSettable(setting: string): void {
  const name = setting.trim()
  if (name !== "permissions.defaultMode" && name !== "model") return
  const reason = name === "model" ? "it decides where the conversation goes" : "it decides about what is allowed"
  throw new ToolError("denied", `Cannot set "${name}": ${reason}, so only a person may set it`)
}

function truth(setting: string, value: SettingInput): boolean {
  const word = typeof value === "string" ? value.trim().toLowerCase() : value
  if (word === true || word === "true") return true
  if (word === false || word === "false") return false
  throw new ToolError("invalid_args", `Cannot set "${setting}" to ${JSON.stringify(value)}: it requires true or false`)
}
