import type { IndexHit } from "../port/launcher-index.js"
import type { SkillEntry } from "../port/skills.js"
import type { Mode } from "../rule.js"

/** `GET /api/health`, without a token. */
export interface ApiHealth {
  readonly ok: true
  readonly name: "haft"
  readonly version: string
}

/** `GET /api/workspace`: what this server was started with. */
export interface ApiWorkspace {
  readonly version: string
  readonly pid: number
  readonly startedAt: number
  readonly roots: readonly string[]
  readonly directory: string
  /** True for the workspace that comes with Haft. */
  readonly demo: boolean
  readonly toolset: string
  readonly mode: Mode
  readonly sandbox: string
  readonly language?: string
  /** Whether a folder may widen what is allowed. */
  readonly trust: readonly { readonly folder: string; readonly state: string; readonly reason?: string }[]
  readonly chat: ApiChat
}

/** Whether messages can be sent. */
export type ApiChat =
  | { readonly available: true; readonly model: string }
  | { readonly available: false; readonly reason: string; readonly hint: string }

/** `GET /api/settings`: each setting with its value and the file that won. */
export interface ApiSetting {
  readonly key: string
  readonly value: unknown
  readonly source: string
}

/** `GET /api/search?q=`: as the tool `index_search` ranks it, with sessions besides. */
export interface ApiSearch {
  readonly hits: readonly IndexHit[]
  readonly sessions: readonly { readonly id: string; readonly title: string; readonly updatedAt: number }[]
}

/** `GET /api/skills`. */
export interface ApiSkills {
  readonly skills: readonly Omit<SkillEntry, "tools">[]
  readonly problems: readonly { readonly path: string; readonly problem: string }[]
}

/** `GET /api/servers`: the MCP servers that the configuration names; nothing is started. */
export interface ApiServer {
  readonly name: string
  readonly source: string
  readonly state: "trusted" | "untrusted" | "changed" | "broken"
  readonly reason?: string
  readonly transport?: "stdio" | "http"
  readonly url?: string
  readonly command?: readonly string[]
  /** What starting it gives it: variables, folders, hosts. */
  readonly env?: readonly string[]
  readonly workspace?: string
  readonly net?: readonly string[]
  readonly readable?: readonly string[]
  readonly trustedAt?: number
  readonly tools?: readonly string[]
  /** Names exactly this entry: starting and trusting it needs it, so that nothing else is started than was shown. */
  readonly entry?: string
}

/** `POST /api/servers/:name/test` with `{entry}`: starts or reaches it once. A person who asks for it saw `ApiServer`. */
export interface ApiServerLook {
  readonly name: string
  readonly server: string
  readonly protocol: string
  readonly ms: number
  readonly tools: readonly { readonly name: string; readonly description: string; readonly destroys: boolean }[]
  readonly problems: readonly string[]
  /** What differs from what is trusted. */
  readonly changes: readonly string[]
  readonly stderr: string
  /** Names exactly what it offered: `POST /api/servers/:name/trust` with `{digest}` trusts that and nothing else. */
  readonly digest: string
}

/** `POST /api/sandbox/probe`: every way to confine commands, really tried now. Also `POST /api/doctor` with all checks. */
export interface ApiCheck {
  readonly name: string
  /** `none`: not of use on this machine, and not missed. */
  readonly state: "ok" | "warn" | "fail" | "none"
  readonly found: string
  readonly fix?: string
  readonly probes?: readonly { readonly name: string; readonly ok: boolean; readonly detail?: string }[]
}

/** `POST /api/tour`: starts the tour in a session of its own; answers arrive as for any turn. */
export interface ApiTour {
  readonly session: string
  readonly turnId: string
}
