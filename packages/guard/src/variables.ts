import { ToolError } from "@haft/contract"

/** The places that patterns may name, for one session. Every path is absolute and normalised. */
export interface Variables {
  readonly workspace: readonly string[]
  readonly adHoc: readonly string[]
  readonly userData: string | undefined
  readonly home: string
  readonly haftHome: string
  readonly haftConfig: string
  readonly scratch: readonly string[]
  readonly sidecars: readonly string[]
  /** Where /tmp and /var/tmp of the session are; empty where they are those of the machine. */
  readonly tmp: readonly string[]
  /** The hosts that search the web: those of the configured provider, and those of every engine that can be asked. */
  readonly searchHosts?: { readonly session: readonly string[]; readonly engines: readonly string[] }
  /** The one file that plan mode may write, besides scratch. */
  readonly planFile?: string
}

/** Who wrote a pattern: rules may name more places than manifests. */
export type PatternAuthor = "manifest" | "rule"

/** A pattern whose leading variable was looked up: it continues with `rest` below each of the folders. */
export interface ExpandedPlace {
  readonly folders: readonly string[]
  readonly rest: string
}

/** Looks up a leading `{name}`, `~` or `/`; undefined when the pattern starts with none of them. */
export function expandPlace(pattern: string, variables: Variables, author: PatternAuthor): ExpandedPlace | undefined {
  if (pattern.startsWith("/")) return { folders: ["/"], rest: pattern.slice(1) }
  if (pattern === "~" || pattern.startsWith("~/")) return { folders: [variables.home], rest: pattern.slice(2) }
  const named = /^\{([^{},/]*)\}(?:\/|$)/.exec(pattern)
  if (!named) return undefined
  const name = named[1]!
  const places = author === "rule" ? rulePlaces : manifestPlaces
  const look = places.get(name)
  if (!look) throw unknownVariable(pattern, name, places)
  return { folders: look(variables), rest: pattern.slice(named[0].length) }
}

/** The hosts that a manifest names, each variable replaced by what it means. */
export function expandHosts(hosts: readonly string[], variables: Variables): readonly string[] {
  return hosts.flatMap((host) => {
    const name = /^\{([^{}]*)\}$/.exec(host)?.[1]
    if (name === undefined) return [host]
    const look = manifestHosts.get(name)
    if (!look) throw unknownVariable(host, name, manifestHosts)
    return look(variables)
  })
}

function unknownVariable(pattern: string, name: string, known: ReadonlyMap<string, Look>): ToolError {
  const words = [...known.keys()].map((key) => `{${key}}`).join(", ")
  const problem = { reason: `there is no variable {${name}}`, fix: `write one of ${words}` }
  return new ToolError("invalid_args", `Cannot expand "${pattern}": ${problem.reason}; ${problem.fix}`, {
    details: problem,
  })
}

type Look = (variables: Variables) => readonly string[]

const manifestPlaces: ReadonlyMap<string, Look> = new Map<string, Look>([
  ["workspace", (variables) => variables.workspace],
  ["ad-hoc", (variables) => variables.adHoc],
  ["user-data", (variables) => (variables.userData === undefined ? [] : [variables.userData])],
])

const manifestHosts: ReadonlyMap<string, Look> = new Map<string, Look>([
  ["web-search", ({ searchHosts }) => searchHosts?.session ?? []],
  ["search-engines", ({ searchHosts }) => searchHosts?.engines ?? []],
])

const rulePlaces: ReadonlyMap<string, Look> = new Map<string, Look>([
  ...manifestPlaces,
  ["haft-home", (variables) => [variables.haftHome]],
  ["haft-config", (variables) => [variables.haftConfig]],
  ["scratch", (variables) => variables.scratch],
  ["sidecars", (variables) => variables.sidecars],
  ["tmp", (variables) => variables.tmp],
])
