import { hash } from "node:crypto"
import { ToolError } from "@haft/contract"

// What model providers accept as a tool name.
const longest = 64
const legal = /^[a-zA-Z0-9_-]{1,64}$/

/** Names for one request to a provider, and the way back. */
export interface WireNames {
  /** The name of an id; one that another id has too is an error that names both, because a call could reach the wrong tool. */
  encode(id: string): string
  /** The id of a name; undefined for one that no id has, or more than one. */
  decode(name: string): string | undefined
}

/** Gives every id a name that providers accept: `:` becomes `__`, `.` becomes `--`, longer names end in a hash. */
export function wireNames(ids: Iterable<string>): WireNames {
  const byName = new Map<string, string>()
  const clashes = new Map<string, string>()
  for (const id of ids) {
    const name = encodeWireName(id)
    const other = byName.get(name)
    if (other === undefined) byName.set(name, id)
    else if (other !== id) clashes.set(name, id)
  }
  return {
    encode(id) {
      const name = encodeWireName(id)
      const other = clashes.get(name)
      if (other === undefined) return name
      throw new ToolError(
        "conflict",
        `Cannot offer "${other}" and "${byName.get(name)}" together: both are "${name}" on the wire`,
      )
    },
    decode: (name) => (clashes.has(name) ? undefined : byName.get(name)),
  }
}

/** The wire name of one id. */
export function encodeWireName(id: string): string {
  const name = id.replaceAll(":", "__").replaceAll(".", "--")
  if (legal.test(name)) return name
  // Anything else that providers refuse, and names that are too long, stay apart by a hash of the whole id.
  const readable = name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, longest - 13)
  return `${readable}_${hash("sha256", id).slice(0, 12)}`
}

/** The id that a wire name without a hash means. */
export function decodeWireName(name: string): string {
  return name.includes("__") || name.includes("--") ? name.replaceAll("__", ":").replaceAll("--", ".") : name
}
