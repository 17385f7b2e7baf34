import { boxLevels, locales, removedBoxLevels, searchProviderIds, toolsetNames } from "@haft/contract"
import type { HookSetting } from "../hooks/hook-entry.js"

/** The shape of a setting's value, small enough to check by hand and to write as JSON Schema. */
export type SettingType =
  | {
      readonly kind: "choice"
      readonly choices: readonly string[]
      /** Choices of earlier versions, with why they are refused. */
      readonly removed?: Readonly<Record<string, string>>
    }
  | { readonly kind: "text" }
  | { readonly kind: "store" }
  | { readonly kind: "texts" }
  | { readonly kind: "names"; readonly choices: readonly string[] }
  | { readonly kind: "count" }
  | { readonly kind: "switch" }
  | { readonly kind: "object" }
  | { readonly kind: "hooks" }

/** One setting: what it means, where it may come from, and which of two values is the tighter one. */
export interface Setting {
  /** Dotted; a last part `*` matches any name. */
  readonly key: string
  readonly about: string
  readonly type: SettingType
  readonly initial?: unknown
  /**
   * Who may set it freely: `user` the user's own file and flags, `trusted` also the files of a trusted folder,
   * `anyone` every source, because nothing depends on it. Others may only tighten.
   */
  readonly from: "user" | "trusted" | "anyone"
  /** Whether `next` allows no more than `current`. Absent: the two cannot be compared. */
  readonly tightens?: (next: unknown, current: unknown) => boolean
  /** Lists that add up instead of replacing each other. */
  readonly adds?: true
}

/** Modes from the tightest to the widest. */
export const modes = ["plan", "ask", "accept-edits", "auto"] as const

/** What may be done where no sandbox can be set up, strictest first. */
export const sandboxes = ["required", "preferred", "off"] as const

// `as const`, so that the type of each value follows from its row.
const table = [
  {
    key: "mode",
    about: "How a session treats what no rule settles",
    type: { kind: "choice", choices: modes },
    initial: "ask",
    from: "trusted",
    tightens: earlierIn(modes),
  },
  {
    key: "toolset",
    about: "The tools that an agent is offered: one name, a comma list, or a list of names",
    type: { kind: "names", choices: [...toolsetNames, "all"] },
    initial: "locked,code",
    from: "trusted",
    tightens: (next, current) => namesOf(next).every((name) => includesName(current, name)),
  },
  { key: "model", about: "The model, as PROVIDER:NAME", type: { kind: "text" }, from: "trusted" },
  { key: "baseUrl", about: "Address of an openai-compatible provider", type: { kind: "text" }, from: "trusted" },
  {
    key: "contextTokens",
    about:
      "Tokens that the model reads at the most, by default what Haft knows of it; a longer conversation is made shorter",
    type: { kind: "count" },
    from: "trusted",
  },
  {
    key: "summaryModel",
    about: "The model that writes the summary of a conversation that gets too long, as PROVIDER:NAME",
    type: { kind: "text" },
    from: "trusted",
  },
  {
    key: "sandbox",
    about: "Whether commands may run without a sandbox",
    type: { kind: "choice", choices: sandboxes },
    initial: "required",
    from: "user",
    tightens: earlierIn(sandboxes),
  },
  {
    key: "unconfined",
    about: "Beginnings of commands that run outside the sandbox, each asked for every time",
    type: { kind: "texts" },
    from: "user",
    adds: true,
  },
  {
    key: "readable",
    about: "Absolute paths outside the roots that commands may read",
    type: { kind: "texts" },
    from: "user",
    adds: true,
  },
  {
    key: "env",
    about: "Names of environment variables that commands get",
    type: { kind: "texts" },
    from: "trusted",
    adds: true,
  },
  {
    key: "net.grants",
    about: "Hosts that may be reached although their address is not public, as HOST or HOST:PORT",
    type: { kind: "texts" },
    from: "trusted",
    adds: true,
  },
  {
    key: "net.proxy",
    about:
      "Proxy for requests of tools and connections of commands: an address, or `environment` for HTTP_PROXY, HTTPS_PROXY and NO_PROXY",
    type: { kind: "text" },
    from: "user",
  },
  {
    key: "net.registries.*",
    about:
      "A private registry: {address, header, scheme, secret, authority}; `secret` is env:NAME or file:NAME, never the secret itself",
    type: { kind: "object" },
    from: "user",
  },
  {
    key: "limits.*",
    about: "Output limit of a tool, in the unit of its manifest",
    type: { kind: "count" },
    from: "trusted",
    tightens: smaller,
  },
  {
    key: "webSearch.provider",
    about: "Which search service answers",
    type: { kind: "choice", choices: searchProviderIds },
    from: "trusted",
  },
  { key: "webSearch.endpoints.*", about: "Address of a search service", type: { kind: "text" }, from: "trusted" },
  {
    key: "webSearch.callsPerSession",
    about: "Searches that one session may make",
    type: { kind: "count" },
    initial: 25,
    from: "trusted",
    tightens: smaller,
  },
  {
    key: "webSearch.timeoutMs",
    about: "Milliseconds after which a search gives up",
    type: { kind: "count" },
    initial: 15_000,
    from: "trusted",
    tightens: smaller,
  },
  {
    key: "box.minIsolation",
    about: "The weakest isolation that a box may have",
    type: { kind: "choice", choices: boxLevels, removed: removedBoxLevels },
    from: "user",
  },
  { key: "box.defaultImage", about: "The image of a box that names none", type: { kind: "text" }, from: "user" },
  {
    key: "git.install",
    about: "Whether a git that is missing is installed when a tool needs it, from git.baseUrl",
    type: { kind: "switch" },
    initial: false,
    from: "user",
    tightens: (next) => next === false,
  },
  { key: "git.baseUrl", about: "Address of the folder with builds of git", type: { kind: "text" }, from: "user" },
  { key: "git.sha256", about: "SHA-256 of the build of git to install", type: { kind: "text" }, from: "user" },
  { key: "mcpServers.*", about: "A foreign MCP server", type: { kind: "object" }, from: "trusted" },
  {
    key: "skills.paths",
    about: "Further folders with skills",
    type: { kind: "texts" },
    from: "trusted",
    adds: true,
  },
  {
    key: "hooks.PreToolUse",
    about: "Programs that see each call before it runs, and may refuse it, have it asked about or change its arguments",
    type: { kind: "hooks" },
    from: "trusted",
    adds: true,
  },
  {
    key: "hooks.PostToolUse",
    about: "Programs that see the result of each call that gave an output, and may add a note",
    type: { kind: "hooks" },
    from: "trusted",
    adds: true,
  },
  {
    key: "hooks.PostToolUseFailure",
    about: "Programs that see the error of each call that failed, and may add a note",
    type: { kind: "hooks" },
    from: "trusted",
    adds: true,
  },
  // A project that shortens these would remove the user's way back, so they are the user's alone.
  { key: "retention.history.maxBytes", about: "Bytes of file history to keep", type: { kind: "count" }, from: "user" },
  { key: "retention.history.maxDays", about: "Days of file history to keep", type: { kind: "count" }, from: "user" },
  {
    key: "retention.sidecars.maxHours",
    about: "Hours without use after which a session's files are removed",
    type: { kind: "count" },
    initial: 24,
    from: "user",
  },
  { key: "store", about: "The journal: a SQLite file or a postgres:// URL", type: { kind: "store" }, from: "user" },
  {
    key: "language",
    about: "The language of words for people; by default that of the locale (LC_ALL, LC_MESSAGES, LANG)",
    type: { kind: "choice", choices: locales },
    from: "anyone",
  },
  {
    key: "theme",
    about: "Light or dark faces",
    type: { kind: "choice", choices: ["auto", "light", "dark"] },
    initial: "auto",
    from: "anyone",
  },
  {
    key: "verbosity",
    about: "How much is printed besides results",
    type: { kind: "choice", choices: ["quiet", "normal", "verbose"] },
    initial: "normal",
    from: "anyone",
  },
  {
    key: "notification",
    about: "How a person is called when something waits",
    type: { kind: "choice", choices: ["none", "bell", "desktop"] },
    initial: "bell",
    from: "anyone",
  },
] as const satisfies readonly Setting[]

/** Every setting except `rules`, which has a shape of its own. */
export const settings: readonly Setting[] = table

type Row = (typeof table)[number]

type RowOf<Key> = Extract<Row, { readonly key: Key }>

/** The key of a setting that has one value. */
export type SettingKey = Exclude<Row["key"], `${string}.*`>

/** The beginning of the keys that a person names the end of, as `limits` in `limits.grep`. */
export type SettingGroup = Row["key"] extends infer Key ? (Key extends `${infer Group}.*` ? Group : never) : never

interface ValueByKind {
  readonly choice: string
  readonly text: string
  readonly store: string
  readonly texts: readonly string[]
  readonly names: string | readonly string[]
  readonly count: number
  readonly switch: boolean
  readonly object: Readonly<Record<string, unknown>>
  readonly hooks: readonly HookSetting[]
}

type ValueOf<Type extends SettingType> = Type extends {
  readonly kind: "choice"
  readonly choices: readonly (infer Choice)[]
}
  ? Choice
  : ValueByKind[Type["kind"]]

/** The value of a setting; undefined only where it has no initial value. */
export type ValueOfSetting<Key extends SettingKey> =
  | ValueOf<RowOf<Key>["type"]>
  | (RowOf<Key> extends { readonly initial: unknown } ? never : undefined)

/** The value of a member of a group. */
export type ValueOfMember<Group extends SettingGroup> = ValueOf<RowOf<`${Group}.*`>["type"]>

/** The setting that a dotted key belongs to. */
export function settingOf(key: string): Setting | undefined {
  return exact.get(key) ?? settings.find(({ key: pattern }) => isMember(pattern, key))
}

/** The names in a toolset value. */
export function namesOf(value: unknown): readonly string[] {
  const names = Array.isArray(value) ? value.map(String) : String(value ?? "").split(",")
  return names.map((name) => name.trim()).filter((name) => name !== "")
}

const exact = new Map<string, Setting>(settings.map((setting) => [setting.key, setting]))

function isMember(pattern: string, key: string): boolean {
  if (!pattern.endsWith(".*")) return false
  const group = pattern.slice(0, -1)
  return key.startsWith(group) && key.length > group.length
}

function includesName(value: unknown, name: string): boolean {
  const names = namesOf(value)
  return names.includes(name) || (names.includes("all") && name !== "all")
}

function earlierIn(order: readonly string[]): (next: unknown, current: unknown) => boolean {
  return (next, current) => order.indexOf(String(next)) <= order.indexOf(String(current))
}

function smaller(next: unknown, current: unknown): boolean {
  return typeof current === "number" && typeof next === "number" && next <= current
}
