import { hash } from "node:crypto"
import { canonicalJson, type JsonSchema } from "@haft/contract"
import type { ServerEntry } from "./server-entry.js"

/** A tool as a server describes it: the texts that a person trusts. */
export interface ToolText {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema
  readonly annotations?: ToolHints
}

/** What a server says about the effects of a tool. It may be a lie, so it only ever raises the risk. */
export interface ToolHints {
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint?: boolean
}

/** How a server is started or reached, without the values of variables and headers. */
export type Launch = {
  /**
   * SHA-256 over those values and `oauth`, where a file of a folder says them: it may come from anybody, and a value may be
   * one of the user's own variables, or change what a program does.
   */
  readonly values?: string
} & (
  | {
      readonly kind: "stdio"
      readonly command: string
      readonly args: readonly string[]
      /** Names alone: values are the user's secrets. */
      readonly env: readonly string[]
      readonly net: readonly string[]
      readonly workspace: string
      readonly readable: readonly string[]
      /** What the command stood for; undefined where it is found in the sandbox alone. */
      readonly program?: string
    }
  | { readonly kind: "http"; readonly url: string; readonly headers: readonly string[] }
)

/** What a person saw and trusted: how a server is reached, and the texts of its tools. */
export interface Pin {
  readonly name: string
  /** The folder whose files name it. */
  readonly folder?: string
  readonly launch: Launch
  /** SHA-256 over the launch and all tools. */
  readonly digest: string
  readonly tools: readonly ToolText[]
  readonly era: "legacy" | "modern"
  readonly resources: boolean
  readonly prompts: boolean
  /** Further hosts that signing in needs, as `host:port`. */
  readonly hosts: readonly string[]
  /** Milliseconds since 1970. */
  readonly at: number
}

/** What a server must still be for the trust to hold. */
export function launchOf(entry: ServerEntry, program?: string): Launch {
  const values = entry.folder === undefined ? {} : pinnedValues(entry)
  if (entry.kind === "http") {
    return { kind: "http", url: entry.url, headers: Object.keys(entry.headers).sort(), ...values }
  }
  const { command, args, env, net, workspace, readable } = entry
  return {
    ...{ kind: "stdio", command, args, env: Object.keys(env).sort(), net, workspace, readable, ...values },
    ...(program !== undefined && { program }),
  }
}

function pinnedValues(entry: ServerEntry): Pick<Launch, "values"> {
  const values = entry.kind === "http" ? { headers: entry.headers, oauth: entry.oauth } : { env: entry.env }
  return { values: hash("sha256", canonicalJson(values)) }
}

/** The hash that a pin is known by. */
export function pinDigest(launch: Launch, tools: readonly ToolText[]): string {
  const byName = [...tools].sort((a, b) => (a.name < b.name ? -1 : 1))
  return hash("sha256", canonicalJson({ launch, tools: byName }))
}

/** What is different about the way to a server, one phrase each; empty when it is the same. */
export function launchChanges(before: Launch, now: Launch): readonly string[] {
  if (before.kind !== now.kind) return [`it was reached by ${before.kind} and is now reached by ${now.kind}`]
  if (before.kind === "http" || now.kind === "http")
    return [...addressChanges(before, now), ...valueChanges(before, now)]
  return [
    ...changed("command line", [before.command, ...before.args], [now.command, ...now.args]),
    ...changed("program", [before.program ?? before.command], [now.program ?? now.command]),
    ...changed("names of variables", before.env, now.env),
    ...changed("hosts", before.net, now.net),
    ...changed("workspace", [before.workspace], [now.workspace]),
    ...changed("readable paths", before.readable, now.readable),
    ...valueChanges(before, now),
  ]
}

function valueChanges(before: Launch, now: Launch): readonly string[] {
  if (before.values === now.values) return []
  const what = now.kind === "http" ? "headers and oauth" : "variables"
  // A pin of an older version has none.
  return [
    before.values === undefined
      ? `nobody has looked at the values of its ${what}`
      : `the values of its ${what} changed`,
  ]
}

function addressChanges(before: Launch, now: Launch): readonly string[] {
  if (before.kind !== "http" || now.kind !== "http") return []
  return [...changed("address", [before.url], [now.url]), ...changed("names of headers", before.headers, now.headers)]
}

function changed(what: string, before: readonly string[], now: readonly string[]): readonly string[] {
  if (canonicalJson(before) === canonicalJson(now)) return []
  return [`its ${what} was ${quoted(before)} and is now ${quoted(now)}`]
}

function quoted(words: readonly string[]): string {
  const text = words.join(" ")
  return words.length === 0 ? "none" : `"${text.length > 200 ? `${text.slice(0, 197)}...` : text}"`
}

/** What became of the tools of a server since they were trusted. */
export interface ToolChanges {
  /** By name of the tool: what is different about it. */
  readonly changed: ReadonlyMap<string, string>
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

/** Compares what was trusted with what a server lists now. */
export function toolChanges(pinned: readonly ToolText[], listed: readonly ToolText[]): ToolChanges {
  const now = new Map(listed.map((tool) => [tool.name, tool]))
  const known = new Set(pinned.map(({ name }) => name))
  const changed = new Map<string, string>()
  for (const tool of pinned) {
    const other = now.get(tool.name)
    const words = other && differences(tool, other)
    if (words) changed.set(tool.name, words)
  }
  return {
    changed,
    removed: pinned.filter(({ name }) => !now.has(name)).map(({ name }) => name),
    added: listed.filter(({ name }) => !known.has(name)).map(({ name }) => name),
  }
}

const parts: readonly (readonly [keyof ToolText, string])[] = [
  ["title", "title"],
  ["description", "description"],
  ["inputSchema", "input schema"],
  ["outputSchema", "output schema"],
  ["annotations", "annotations"],
]

function differences(before: ToolText, now: ToolText): string | undefined {
  const found = parts.filter(([key]) => canonicalJson(before[key] ?? null) !== canonicalJson(now[key] ?? null))
  return found.length === 0 ? undefined : `its ${found.map(([, word]) => word).join(" and its ")} changed`
}
