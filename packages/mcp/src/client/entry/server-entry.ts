import { nearestNames, ToolError } from "@haft/contract"

/** A server as a configuration names it. Variables in its texts are not filled in yet. */
export type ServerEntry = ProgramEntry | AddressEntry

interface AnyEntry {
  readonly name: string
  /** The folder whose files name it; undefined where the user or the program does. */
  readonly folder?: string
  /** For the start, until the server has listed its tools. */
  readonly startTimeoutMs: number
  /** For one call, without the time that a person takes to answer; progress starts it anew. */
  readonly callTimeoutMs: number
}

/** A program that speaks over its standard input and output. */
export interface ProgramEntry extends AnyEntry {
  readonly kind: "stdio"
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Hosts that it may reach. */
  readonly net: readonly string[]
  readonly workspace: "none" | "read" | "write"
  /** Absolute paths that it may read besides. */
  readonly readable: readonly string[]
}

/** A server at an address, over streamable HTTP. */
export interface AddressEntry extends AnyEntry {
  readonly kind: "http"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly oauth: { readonly clientId?: string; readonly clientSecret?: string; readonly scope?: string }
}

/** Where an entry comes from. */
export interface EntryPlace {
  readonly folder?: string
  /** True where keys of other programs are beside ours, as in `.mcp.json`: they are passed over. */
  readonly shared?: boolean
}

/** Reads one entry of `mcpServers`. Whatever is wrong with it is an error that names the key. */
export function readEntry(name: string, value: unknown, { folder, shared = false }: EntryPlace = {}): ServerEntry {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/.test(name)) {
    throw wrong(name, "its name must be made of letters, digits, _ and -, at most 40, a letter or digit first")
  }
  if (!isRecord(value)) throw wrong(name, "it must be an object")
  const keys = new EntryReader(name, value)
  const timeouts = {
    startTimeoutMs: keys.count("startTimeoutMs", keys.count("timeout", 30_000)),
    callTimeoutMs: keys.count("callTimeoutMs", 120_000),
  }
  const type = keys.type()
  const common = { name, ...timeouts, ...(folder !== undefined && { folder }) }
  const entry: ServerEntry =
    type === "http"
      ? {
          ...common,
          kind: "http",
          url: addressOf(name, keys.text("url")),
          headers: keys.texts("headers"),
          oauth: keys.oauth(),
        }
      : {
          ...common,
          kind: "stdio",
          command: keys.text("command"),
          args: keys.list("args"),
          env: keys.texts("env"),
          net: keys.list("net"),
          workspace: keys.workspace(),
          readable: absolute(name, keys.list("readable")),
        }
  if (!shared) keys.refuseUnknown()
  return entry
}

/** Reads one entry key by key, and knows which keys it has. */
class EntryReader {
  private readonly read = new Set<string>(["type", "transport", "disabled"])

  constructor(
    private readonly name: string,
    private readonly value: Readonly<Record<string, unknown>>,
  ) {}

  type(): "stdio" | "http" {
    const { type = this.value.transport, command, url } = this.value
    if (type === "sse")
      throw wrong(this.name, "the transport sse is not supported; use its streamable HTTP address with type http")
    if (type !== undefined && !["stdio", "local", "http", "streamable-http", "remote"].includes(String(type))) {
      throw wrong(this.name, `its type ${JSON.stringify(type)} is not known; use stdio or http`)
    }
    if (command !== undefined && url !== undefined)
      throw wrong(this.name, 'it has both a "command" and a "url"; keep one')
    if (command === undefined && url === undefined) throw wrong(this.name, 'it needs a "command" or a "url"')
    return command === undefined ? "http" : "stdio"
  }

  text(key: string): string {
    const value = this.take(key)
    if (typeof value === "string" && value !== "") return value
    throw wrong(this.name, `"${key}" must be a string that is not empty`)
  }

  list(key: string): readonly string[] {
    const value = this.take(key) ?? []
    if (Array.isArray(value) && value.every((each) => typeof each === "string" && !each.includes("\0"))) return value
    throw wrong(this.name, `"${key}" must be a list of strings`)
  }

  texts(key: string): Readonly<Record<string, string>> {
    const value = this.take(key) ?? {}
    const isTexts =
      isRecord(value) && Object.values(value).every((each) => typeof each === "string" && !each.includes("\0"))
    if (isTexts) return { ...(value as Record<string, string>) }
    throw wrong(this.name, `"${key}" must be an object of strings`)
  }

  count(key: string, initial: number): number {
    const value = this.take(key) ?? initial
    if (typeof value === "number" && Number.isSafeInteger(value) && value > 0) return value
    throw wrong(this.name, `"${key}" must be a whole number of milliseconds above 0`)
  }

  workspace(): ProgramEntry["workspace"] {
    const value = this.take("workspace") ?? "none"
    if (value === "none" || value === "read" || value === "write") return value
    throw wrong(this.name, '"workspace" must be none, read or write')
  }

  oauth(): AddressEntry["oauth"] {
    const value = this.take("oauth") ?? {}
    const isTexts = isRecord(value) && Object.values(value).every((each) => typeof each === "string")
    if (!isTexts) throw wrong(this.name, '"oauth" must be an object with clientId, clientSecret and scope')
    const { clientId, clientSecret, scope } = value as Record<string, string>
    return { ...(clientId && { clientId }), ...(clientSecret && { clientSecret }), ...(scope && { scope }) }
  }

  /** A misspelt key would silently give a server less or more than was meant. */
  refuseUnknown(): void {
    const unknown = Object.keys(this.value).find((key) => !this.read.has(key))
    if (unknown === undefined) return
    const [near] = nearestNames(unknown, this.read, 1)
    throw wrong(this.name, `"${unknown}" is not known${near === undefined ? "" : `; did you mean "${near}"?`}`)
  }

  private take(key: string): unknown {
    this.read.add(key)
    return this.value[key]
  }
}

function addressOf(name: string, url: string): string {
  // It may hold variables, so only what is there already can be looked at.
  if (url.includes("${")) return url
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw wrong(name, `"url" must be an address that begins with http:// or https://, not "${url}"`)
  }
  return url
}

function absolute(name: string, paths: readonly string[]): readonly string[] {
  const relative = paths.find((path) => !path.startsWith("/"))
  if (relative === undefined) return paths
  throw wrong(name, `"readable" must hold absolute paths, not "${relative}"`)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function wrong(name: string, reason: string): ToolError {
  return new ToolError("not_configured", `Cannot use the MCP server "${name}": ${reason}`, {
    hint: "Go on without it",
    fix: "Correct its entry, then run: haft mcp list",
  })
}

/** Fills `${NAME}` and `${NAME:-default}` in; a variable that is missing is an error that names it. */
export function fillIn(name: string, text: string, variables: Readonly<Record<string, string | undefined>>): string {
  return text.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g, (_, variable: string, initial?: string) => {
    const value = variables[variable]
    if (value !== undefined && (value !== "" || initial === undefined)) return value
    if (initial !== undefined) return initial
    throw new ToolError(
      "not_configured",
      `Cannot start the MCP server "${name}": the variable ${variable} is not set`,
      {
        hint: "Go on without this server",
        fix: `Set ${variable}, or write \${${variable}:-default} in the entry of the server`,
      },
    )
  })
}
