import { resolve } from "node:path"
import type { ToolCallLocation, ToolKind } from "@agentclientprotocol/sdk/unstable"
import { type CallRecord, callLine, type ToolDefinition } from "@haft/contract"
import { visibleLine } from "@haft/guard"
import type { CallSession } from "@haft/runtime"

/** What an editor shows of a call before it runs. */
export interface CallWords {
  readonly title: string
  readonly kind: ToolKind
  readonly locations: ToolCallLocation[]
}

const maxTitle = 200

/** Title, kind and places of a call, from the words and the manifest of its tool; the arguments may still stream in. */
export function callWords(session: CallSession, tool: string, input: unknown): CallWords {
  const found = session.registry.find(tool)
  if (!found) return { title: visibleLine(tool), kind: "other", locations: [] }
  return {
    title: visibleLine(callLine(found.messages.en, input), maxTitle),
    kind: found.manifest.kind,
    locations: placesOf(found, input, session.directory),
  }
}

const maxLocations = 50

function placesOf({ manifest }: ToolDefinition, input: unknown, directory: string): ToolCallLocation[] {
  if (manifest.kind === "execute") return [{ path: directory }]
  const parsed = manifest.input.safeParse(input)
  if (!parsed.success) return []
  const { offset } = fieldsOf(input)
  const line = typeof offset === "number" && offset > 0 ? offset : undefined
  const paths = manifest.effects(parsed.data).flatMap((effect) => ("path" in effect ? [effect.path] : []))
  return [...new Set(paths)]
    .slice(0, maxLocations)
    .map((path) => ({ path: resolve(directory, path), ...(line !== undefined && { line }) }))
}

/** The places that a call which has ended was about: what it changed, then what it found. */
export function placesFound({ effects, envelope }: CallRecord, directory: string): ToolCallLocation[] {
  const changed = effects.flatMap((effect) => ("after" in effect ? [{ path: effect.path }] : []))
  const { matches, first_line: line } = fieldsOf(envelope?.type === "output" ? envelope.data : undefined)
  const found = (Array.isArray(matches) ? matches : []).flatMap((match: unknown) => {
    const { path, line } = typeof match === "string" ? { path: match, line: undefined } : fieldsOf(match)
    if (typeof path !== "string") return []
    return [{ path: resolve(directory, path), ...(typeof line === "number" && { line }) }]
  })
  const [first, ...more] = changed
  const edited = first && typeof line === "number" ? [{ ...first, line }, ...more] : changed
  return [...edited, ...found].slice(0, maxLocations)
}

/** The fields of a value that may be anything. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {}
}
