import { hash } from "node:crypto"
import {
  type AnyDialectTool,
  type AnyManifest,
  type CallerSignal,
  canonicalJson,
  type Dialect,
  type EventBody,
  type Person,
  type RequirementSet,
  type ToolDefinition,
  ToolError,
} from "@haft/contract"
import { findRow, isBrought, rowNamed, toolOf } from "../dialect/find-row.js"
import type { Registry } from "../registry/create-registry.js"
import { describeProblems, type Issue } from "./argument-problems.js"
import { repairArguments } from "./repair-arguments.js"

/** One request to run one tool. */
export interface CallRequest {
  /** Any name the tool goes by. */
  readonly name: string
  /** Raw arguments; validated before anything happens. */
  readonly arguments: unknown
  /** The system whose name and arguments these are; ours by default. */
  readonly dialect?: Dialect
  /** Aborts the call. */
  readonly signal?: CallerSignal
  /** The id of a call of a turn, chosen before it starts so that its record is found again; made when absent. */
  readonly callId?: string
  /** True when a model asked for the call: repeating it to no effect is then noticed. */
  readonly fromModel?: boolean
  /** Who asks for the call, where it is not the session itself; it may then do no more than that one was given. */
  readonly principal?: Principal
  /** `once`: the person who typed the arguments answers the asks of this one call in advance. */
  readonly answer?: "once"
  /** Answers instead of the session's person: for a host that reaches people call by call. */
  readonly person?: Person | "headless"
  /** Called with the output and the messages of this call, besides the session's listeners; must not throw. */
  readonly onEvent?: (event: EventBody) => void
}

/** Somebody other than the session that asks for calls, such as an extension. */
export interface Principal {
  /** As the journal and a question to a person name it, for instance `extension "notes"`. */
  readonly name: string
  /** What it may do at the most, within what the session may. */
  readonly granted: RequirementSet
}

/** A tool with arguments that are spelled as it wants them. */
export interface Resolved {
  readonly tool: ToolDefinition
  readonly arguments: unknown
  /** What of the given arguments a dialect left out. */
  readonly notes: readonly string[]
  /** The row of the dialect that was called. */
  readonly row?: AnyDialectTool
}

/** The tool that goes by this name, and its arguments, both translated where the call speaks a dialect. */
export function resolve(
  { name, arguments: given, dialect }: Pick<CallRequest, "name" | "arguments" | "dialect">,
  registry: Registry,
): Resolved {
  // Programs in plain JavaScript and models send anything.
  if (typeof name !== "string") {
    throw new ToolError("invalid_args", `Cannot call a tool: its name must be a string, not ${kindOf(name)}`)
  }
  if (!dialect) return { tool: toolNamed(name, registry), arguments: given, notes: [] }
  const known = findRow(dialect, name)
  const own = known ? undefined : registry.find(name)
  if (own && isBrought(own.manifest)) return { tool: own, arguments: given, notes: [] }
  const brought = () => registry.tools.flatMap(({ manifest }) => (isBrought(manifest) ? [manifest.id] : []))
  const row = known ?? rowNamed(dialect, name, brought())
  const { input, notes } = readArguments({ name, schema: row.input, habits: row.habits }, given)
  const id = typeof row.tool === "string" ? row.tool : row.tool(input)
  const tool = toolOf(id, dialect, registry)
  if (tool) return { tool, arguments: row.toArguments(input), notes, row }
  throw new ToolError("not_configured", `Cannot call "${name}": this host has nothing that does its work`, {
    hint: "Go on without it",
    details: { tool: id },
  })
}

/** An unknown name is an error that names the nearest ones. */
function toolNamed(name: string, registry: Registry): ToolDefinition {
  const tool = registry.find(name) ?? registry.find(plainName(name))
  if (tool) return tool
  const near = registry.near(name)
  throw new ToolError("not_found", `Cannot call "${name}": there is no tool of that name`, {
    hint:
      near.length > 0
        ? `Did you mean ${near.map((id) => `"${id}"`).join(", ")}?`
        : ["Call one of the tools that you were given", { say: "Look for others with {tool:tool_search}" }],
    ...(near.length > 0 ? {} : { fix: "See the list with: haft tools" }),
    details: { unknown_tool: name, near },
  })
}

/** The name without what models put around it: `functions.read`, `default_api.read`, `Read`. */
function plainName(name: string): string {
  return name
    .trim()
    .replace(/^(?:functions|default_api|tools)[.:]/, "")
    .toLowerCase()
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  return Array.isArray(value) ? "an array" : `a value of type ${typeof value}`
}

/** Arguments that fit, and what of the given ones was left out, in words for the model. */
export interface Arguments {
  readonly input: Readonly<Record<string, unknown>>
  readonly notes: readonly string[]
}

/** What arguments are read with: a tool, or a row of a dialect. */
export interface ArgumentReader {
  /** The name that the caller used. */
  readonly name: string
  readonly schema: AnyManifest["input"]
  readonly habits?: AnyManifest["habits"] | undefined
  /** The row whose words the caller speaks, where the arguments are made from those of the row. */
  readonly row?: AnyDialectTool | undefined
}

/** Arguments that fit the tool's schema, frozen: what is judged is what runs. */
export function validate(manifest: AnyManifest, raw: unknown, row?: AnyDialectTool): Arguments {
  const { id, input: schema, habits } = manifest
  const { input, notes } = readArguments({ name: row?.name ?? id, schema, habits, row }, raw)
  return { input: freeze(input), notes }
}

const noNotes: readonly string[] = []

/**
 * Arguments as a schema wants them. What did not fit is read once more as models probably mean it; otherwise an error that
 * names each problem and the way to say it.
 */
export function readArguments(reader: ArgumentReader, raw: unknown): Arguments {
  refuseLargeArguments(reader.name, raw)
  const parsed = reader.schema.safeParse(raw ?? {})
  if (parsed.success) return { input: parsed.data, notes: noNotes }
  const { value, dropped } = repairArguments(reader.schema, raw ?? {})
  refuseLargeArguments(reader.name, value)
  const again = reader.schema.safeParse(value)
  if (again.success) return { input: again.data, notes: dropped.map(leftOut) }
  const { text, hint, problems } = describeProblems(reader, again.error.issues as readonly Issue[], value)
  throw new ToolError("invalid_args", `Cannot call "${reader.name}": ${text}`, { hint, details: { problems } })
}

function leftOut(key: string): string {
  return `"${key}" is not an argument of this tool and was left out`
}

function freeze<T>(value: T): T {
  if (value === null || typeof value !== "object" || Object.isFrozen(value)) return value
  for (const member of Object.values(value)) freeze(member)
  return Object.freeze(value)
}

/** Bytes of all texts in the arguments of one call: the largest file that can be written, its path, and a little more. */
const maxArgumentBytes = 16 * 1024 * 1024 + 65_536

/**
 * Refuses arguments that no tool takes, before they are judged, hashed, searched for secrets and recorded: each of these
 * reads them once more.
 */
function refuseLargeArguments(name: string, given: unknown): void {
  if (!isLarge(given)) return
  throw new ToolError("too_large", `Cannot call "${name}": the arguments have more than ${maxArgumentBytes} bytes`, {
    hint: "Send less in one call, for instance a text in parts to several files",
    details: { limit: maxArgumentBytes },
  })
}

/** Arguments as they are recorded: of those that are too large only the beginning of each text. */
export function recordable(given: unknown): unknown {
  if (typeof given === "string") return given.length > maxArgumentBytes ? shortened(given) : given
  if (!isLarge(given)) return given
  return JSON.parse(
    JSON.stringify(given, (_, value: unknown) => (typeof value === "string" ? shortened(value) : value)),
  )
}

// Arguments that arrive as JSON text may be longer than what they say: a control character takes six.
const maxEscapeUnits = 6
const recordedUnits = 2_000

function shortened(text: string): string {
  return text.length <= recordedUnits ? text : `${text.slice(0, recordedUnits)}… (${text.length} characters)`
}

function isLarge(given: unknown): boolean {
  if (typeof given === "string") return given.length > maxEscapeUnits * maxArgumentBytes
  const texts = textsIn(given)
  let units = 0
  for (const text of texts) units += text.length
  // A code unit has one to three bytes, so that the texts need not be read to be sure in most cases.
  if (units > maxArgumentBytes) return true
  if (3 * units <= maxArgumentBytes) return false
  let bytes = 0
  for (const text of texts) bytes += utf8Length(text)
  return bytes > maxArgumentBytes
}

/** Every text in a value; one that leads back to itself is looked at once. */
function textsIn(given: unknown): readonly string[] {
  const texts: string[] = []
  const left: unknown[] = [given]
  let seen: Set<unknown> | undefined
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value === "string") texts.push(value)
    if (typeof value !== "object" || value === null) continue
    for (const member of Object.values(value)) {
      if (typeof member === "string") texts.push(member)
      else if (typeof member === "object" && member !== null) {
        seen ??= new Set([given])
        if (!seen.has(member)) left.push(member)
        seen.add(member)
      }
    }
  }
  return texts
}

function utf8Length(text: string): number {
  let bytes = text.length
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    // Each half of a surrogate pair counts for two of its four bytes.
    if (code >= 0x80) bytes += code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 1 : 2
  }
  return bytes
}

/** SHA-256 of arguments or of a result, the same whatever the order of its keys. */
export function hashOf(value: unknown): string {
  return hash("sha256", canonicalJson(value))
}
