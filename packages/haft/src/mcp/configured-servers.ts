import { join } from "node:path"
import { ToolError } from "@haft/contract"
import { type Pin, pinOf, readEntry, type ServerEntry, trustLost } from "@haft/mcp"
import type { Configuration } from "../config/load-configuration.js"
import type { Places } from "../config/places.js"
import { readTextFile } from "../config/read-text-file.js"
import { isPlainObject } from "../config/setting-value.js"
import { readPins, userPinFile } from "./server-state.js"

/** The file of a folder that many programs read MCP servers from. */
export const sharedFile = ".mcp.json"

/** A server that a configuration names, and whether it may be used. */
export interface ConfiguredServer {
  readonly name: string
  /** The file that names it. */
  readonly source: string
  /** Undefined where the entry cannot be used. */
  readonly entry?: ServerEntry
  readonly pin?: Pin
  readonly state: "trusted" | "untrusted" | "changed" | "broken"
  /** Why it is not used. */
  readonly reason?: string
}

/** What the configuration of a run is read from. */
export interface ServerPlaces {
  readonly places: Places
  readonly roots: readonly string[]
  readonly configuration: Configuration
  /** Servers that an editor names for its session. */
  readonly editor?: Readonly<Record<string, unknown>>
}

/** Every server that the user, a folder or an editor names. Of two with one name that of the user counts. */
export function configuredServers({
  places,
  roots,
  configuration,
  editor = {},
}: ServerPlaces): readonly ConfiguredServer[] {
  const pins = readPins(userPinFile(places.configHome))
  const found = new Map<string, ConfiguredServer>()
  for (const [name, value] of configuration.values.members("mcpServers")) {
    const saying = configuration.sayings.findLast(({ key, taken }) => taken && key === `mcpServers.${name}`)
    found.set(
      name,
      judged(name, saying?.source ?? "configuration", pins, () => readEntry(name, value)),
    )
  }
  for (const root of roots) {
    for (const [name, value] of sharedEntries(root)) {
      if (found.has(name)) continue
      const place = { folder: root, shared: true }
      found.set(
        name,
        judged(name, join(root, sharedFile), pins, () => readEntry(name, value, place)),
      )
    }
  }
  for (const [name, value] of Object.entries(editor)) {
    if (!found.has(name))
      found.set(
        name,
        judged(name, editorSource, pins, () => readEntry(name, value)),
      )
  }
  return [...found.values()]
}

/** The source of a server that an editor names. */
export const editorSource = "the editor"

/** The servers of a run that may be used: those that a person trusts as they are. */
export function trustedServers(places: ServerPlaces): { entries: readonly ServerEntry[]; pins: readonly Pin[] } {
  const servers = configuredServers(places)
  return {
    entries: servers.flatMap(({ entry }) => (entry === undefined ? [] : [entry])),
    pins: servers.flatMap(({ pin }) => (pin === undefined ? [] : [pin])),
  }
}

function judged(name: string, source: string, pins: readonly Pin[], read: () => ServerEntry): ConfiguredServer {
  try {
    const entry = read()
    const pin = pinOf(pins, entry)
    const reason = pin && trustLost(pin, entry)
    const state = pin === undefined ? "untrusted" : reason === undefined ? "trusted" : "changed"
    return { name, source, entry, state, ...(pin && { pin }), ...(reason !== undefined && { reason }) }
  } catch (error) {
    if (!ToolError.is(error)) throw error
    return { name, source, state: "broken", reason: error.message }
  }
}

function sharedEntries(root: string): readonly (readonly [string, unknown])[] {
  const file = join(root, sharedFile)
  const text = readTextFile(file)
  if (text === undefined) return []
  const wrong = (reason: string) =>
    new ToolError("not_configured", `Cannot use "${file}": ${reason}`, { hint: "Correct or remove the file" })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw wrong(`it is no JSON (${(error as Error).message})`)
  }
  const servers = isPlainObject(value) ? value.mcpServers : undefined
  if (!isPlainObject(servers)) throw wrong('it must be an object with "mcpServers"')
  return Object.entries(servers)
}
