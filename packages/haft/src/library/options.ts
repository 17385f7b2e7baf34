import type {
  BoundRule,
  BoxLevel,
  EditorBuffers,
  Mode,
  Person,
  PlacedRule,
  RequirementSet,
  Rule,
  SandboxPolicy,
  SessionEvent,
  Settings,
  SkillEntry,
  ToolDefinition,
  WebSearchSettings,
} from "@haft/contract"
import type { EnabledExtension } from "@haft/extensions"
import type { Detector } from "@haft/guard"
import type { PrivateRegistry } from "@haft/host"
import type { Browser, Pin, ServerEntry } from "@haft/mcp"
import type { HookSettings } from "../hooks/hook-entry.js"

/** How a Haft is set up. Everything is optional; the defaults are safe. */
export interface HaftOptions<Tools extends readonly ToolDefinition[] = readonly ToolDefinition[]> {
  /** Folders that tools may reach; the current directory by default, unless it is a wide one. */
  readonly roots?: readonly string[]
  /** A name, a comma list or an array of toolsets; `locked,code` by default, `all` for every tool. */
  readonly toolset?: string | readonly string[]
  /**
   * Rules of the caller, with the authority of a flag: `"allow fs.write(docs/**)"` or an object; placed rules have the
   * authority of their source.
   */
  readonly rules?: readonly (string | Rule | PlacedRule)[]
  /** What happens to calls that no rule decides; `ask` by default. */
  readonly mode?: Mode
  /** Answers asks and questions; with `headless`, the default, an ask is a deny. */
  readonly person?: "headless" | Person
  /** Tools besides the built-in ones; an id that is taken is refused. */
  readonly tools?: Tools
  /** Folder of state; HAFT_HOME by default. */
  readonly home?: string
  /**
   * True: the configuration of user, project and machine holds as it does for the command line, below the options given
   * here. False by default: no file is read but skills and instructions.
   */
  readonly configuration?: boolean
  readonly workspace?: WorkspaceOptions
  readonly sandbox?: SandboxOptions
  readonly network?: NetworkOptions
  readonly storage?: StorageOptions
  readonly guard?: GuardOptions
  readonly output?: OutputOptions
  readonly box?: BoxOptions
  readonly git?: GitOptions
  readonly skills?: SkillOptions
  /** Servers of the Model Context Protocol by name, whose tools are offered as `mcp__<server>__<tool>`. */
  readonly mcpServers?: Readonly<Record<string, McpServerOptions>>
  /** Folders of extensions that this program vouches for, whose tools are offered as `<extension>__<tool>`. */
  readonly extensions?: readonly ExtensionOptions[]
  readonly hooks?: HookOptions
}

export interface WorkspaceOptions {
  /** Where relative paths start; the first root by default. */
  readonly directory?: string
  /** The directories of these files may be read besides the roots. */
  readonly adHocFiles?: readonly string[]
  /** Whether a person trusts the folder: language servers start, and project skills bring tools, only then. */
  readonly trusted?: boolean
}

/** How commands are confined. */
export interface SandboxOptions {
  /** `required` by default: without a sandbox a command is refused. */
  readonly policy?: SandboxPolicy
  /** Further absolute paths that commands may read. */
  readonly readable?: readonly string[]
  /** Names of environment variables that commands get. */
  readonly env?: readonly string[]
  /** Names among them whose value is a secret; without this such a value is kept out. */
  readonly envSecrets?: readonly string[]
  /** Beginnings of commands that run outside the sandbox, each asked for every time: `git push`. */
  readonly unconfined?: readonly string[]
}

export interface NetworkOptions {
  /** Hosts that may be reached, also loopback and private ones, as `host` or `host:port`. */
  readonly grants?: readonly string[]
  /** Proxy for the requests of tools and the connections of commands; variables of the environment are not read. */
  readonly proxy?: ProxyOptions
  /** Registries that want a header; it is added outside the sandbox, so that no command knows it. */
  readonly registries?: readonly PrivateRegistry[]
  /** How the web is searched; by default with services that need no key. */
  readonly webSearch?: Partial<WebSearchSettings>
}

/** Proxies by scheme, and hosts that are reached without one. */
export interface ProxyOptions {
  readonly http?: string
  readonly https?: string
  readonly noProxy?: readonly string[]
}

export interface StorageOptions {
  /** False: nothing is recorded, and nothing can be undone or replayed. */
  readonly journal?: boolean
  /** SQLite file or postgres:// URL of the journal; `journal.db` in the folder of state by default. */
  readonly store?: string
  /** Folder of the user's configuration; `$XDG_CONFIG_HOME/haft` by default. */
  readonly configHome?: string
  readonly retention?: RetentionOptions
  /** Values that must never be written down; by default those of environment variables whose names say so. */
  readonly secrets?: readonly { readonly name: string; readonly value: string }[]
}

/** How much of overwritten files is kept for undo, and how long the sidecars of an unused session. */
export interface RetentionOptions {
  readonly history?: { readonly maxBytes?: number; readonly maxAgeMs?: number }
  readonly sidecars?: { readonly maxAgeMs?: number }
}

/** What decides besides the rules. */
export interface GuardOptions {
  /** What the host allows at the most; the roots by default. */
  readonly grant?: RequirementSet
  /** What the agent itself asks for and refuses; its denies are final. */
  readonly manifest?: { readonly requires?: RequirementSet; readonly rules?: readonly Rule[] }
  /** Detectors of the watchdog besides the built-in ones; one with the id of a built-in one replaces it. */
  readonly detectors?: readonly Detector[]
}

export interface OutputOptions {
  /** Output limits by tool id, in the unit of the tool's manifest. */
  readonly limits?: Readonly<Record<string, number>>
  /** JSON Schema (2020-12) that the object of `structured_output` must fit. */
  readonly schema?: Readonly<Record<string, unknown>>
}

/** The machines that `box` may use. */
export interface BoxOptions {
  readonly minIsolation?: BoxLevel
  readonly defaultImage?: string
}

/** The build of git that is installed for this user where git is missing and a tool needs it. */
export interface GitOptions {
  /** False by default. */
  readonly install?: boolean
  readonly baseUrl?: string
  readonly sha256?: string
  /** Called with a sentence for each step; must not throw. */
  readonly onProgress?: (text: string) => void
}

/** An extension whose tools are offered. Its code runs in a sandbox of its own and asks for every effect. */
export interface ExtensionOptions {
  /** The folder with its manifest.json. */
  readonly folder: string
  /** Those of the hosts that it asks for which it may reach; none by default. */
  readonly hosts?: readonly string[]
}

/** A server whose tools are offered; either a program or an address. */
export interface McpServerOptions {
  /** The program, found on the search path; it speaks over its standard input and output, in a sandbox. */
  readonly command?: string
  readonly args?: readonly string[]
  /** Its variables; `${NAME}` takes one of this process, `${HAFT_DATA}` is the folder where it may keep data. */
  readonly env?: Readonly<Record<string, string>>
  /** Hosts that the program may reach; none by default. */
  readonly net?: readonly string[]
  /** What the program sees of the roots; `none` by default. */
  readonly workspace?: "none" | "read" | "write"
  /** Absolute paths that the program may read besides, for instance where it is installed. */
  readonly readable?: readonly string[]
  /** The address of a server that speaks streamable HTTP; one of this machine or its network needs a grant. */
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly oauth?: { readonly clientId?: string; readonly clientSecret?: string; readonly scope?: string }
  /** 30 seconds by default. */
  readonly startTimeoutMs?: number
  /** Two minutes by default; progress starts it anew. */
  readonly callTimeoutMs?: number
  /** True when this program vouches for the server: it is taken as it is when first seen, and held to that. Without it nothing runs. */
  readonly trusted?: boolean
}

export interface SkillOptions {
  /** Further folders of skills, as absolute paths. */
  readonly paths?: readonly string[]
}

/** Functions of the program that embeds Haft, and commands that look at calls. */
export interface HookOptions {
  /** Commands that see each call before or after its work, in a read-only sandbox; they may narrow it and never widen. */
  readonly commands?: HookSettings
  /** Called with every event; must not throw. */
  readonly onEvent?: (event: SessionEvent) => void
  /** Keeps a rule that a person saved for the project; without it such a rule lasts for the session. */
  readonly saveProjectRule?: (rule: BoundRule) => Promise<PlacedRule>
  /** The configuration as the tool `config` may see it; without it there is none. */
  readonly settings?: Settings
}

/** What only the command line needs besides the options; no part of the library. */
export interface ProgramOptions {
  /** Only these built-in tools, by id, instead of toolsets and of what skills bring; no other tool is loaded. */
  readonly only?: readonly string[]
  /** Ids of tools that the caller can call besides, elsewhere: the next steps of errors may name them. */
  readonly known?: readonly string[]
  /** The folder of the skills that come with the program. */
  readonly bundledSkills?: string
  /** Commands of the program itself, for the launcher's index. */
  readonly commands?: readonly { readonly id: string; readonly name: string }[]
  /** MCP servers of the configuration, and those that the user trusts; read when a session opens that may use them. */
  readonly mcpServers?: () => Promise<TrustedServers>
  /** An editor whose unsaved changes tools see. */
  readonly editor?: EditorBuffers
  /** Extensions that the user enabled; read when a session opens that may use them. */
  readonly extensions?: () => Promise<readonly EnabledExtension[]>
  /** Which skills of the roots may bring their tools; by default all of a trusted folder. */
  readonly trustsSkill?: (skill: Pick<SkillEntry, "name" | "tools">) => boolean
}

/** The servers that a configuration names, and those of them that a person trusts. */
export interface TrustedServers {
  readonly entries: readonly ServerEntry[]
  readonly pins: readonly Pin[]
}

/** A server to look at, and how somebody signs in where it wants that. */
export interface InspectRequest {
  readonly entry: ServerEntry
  readonly signal: AbortSignal
  readonly browser?: Browser
}
