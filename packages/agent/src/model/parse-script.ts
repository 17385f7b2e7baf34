import { ToolError } from "@haft/contract"

/** One reply of a script. */
export interface ScriptLine {
  /** The first line of the file is 1. */
  readonly number: number
  /** Keeps the line for this agent. */
  readonly agent?: string | undefined
  readonly text?: string | undefined
  readonly calls: readonly { readonly name: string; readonly input: string }[]
  /** Tokens that the reply is said to have cost. */
  readonly usage?: { readonly input: number; readonly output: number } | undefined
}

/** Reads all lines of a script; blank lines are left out. Throws `invalid_args` with line and column. */
export async function parseScript(file: string, bytes: Uint8Array): Promise<readonly ScriptLine[]> {
  const lines: ScriptLine[] = []
  let number = 0
  for (const text of decode(file, bytes).split(/\r?\n/)) {
    number += 1
    if (text.trim() !== "") lines.push(await parseLine({ file, number, text }))
  }
  return lines
}

interface Source {
  readonly file: string
  readonly number: number
  readonly text: string
}

type Path = readonly (string | number)[]

function decode(file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    throw new ToolError("invalid_args", `Cannot read the script "${file}": it is not UTF-8 text`, { hint: lineHint })
  }
}

const lineHint =
  'Write one JSON object a line, like {"text":"Done."} or {"calls":[{"name":"read","args":{"file_path":"a"}}]}'

async function parseLine(source: Source): Promise<ScriptLine> {
  let value: unknown
  try {
    value = JSON.parse(source.text)
  } catch {
    throw await brokenJson(source)
  }
  const problem = problemOf(value)
  if (problem !== undefined) throw await wrongShape(source, problem)
  const { agent, text, calls = [], usage } = value as RawLine
  return {
    number: source.number,
    ...(agent === undefined ? {} : { agent }),
    ...(text === undefined ? {} : { text }),
    // Arguments as one text: what a model sends is text too, which may be no JSON at all.
    calls: calls.map(({ name, args, input }) => ({ name, input: input ?? JSON.stringify(args ?? {}) })),
    ...(usage === undefined ? {} : { usage }),
  }
}

interface RawLine {
  readonly agent?: string
  readonly text?: string
  readonly calls?: readonly { readonly name: string; readonly args?: unknown; readonly input?: string }[]
  readonly usage?: { readonly input: number; readonly output: number }
}

interface Problem {
  readonly path: Path
  readonly expected: string
}

function problemOf(value: unknown): Problem | undefined {
  if (!isObject(value)) return { path: [], expected: "an object" }
  const unknown = Object.keys(value).find((key) => !["agent", "text", "calls", "usage"].includes(key))
  if (unknown !== undefined) return { path: [unknown], expected: "one of the keys text, calls, agent, usage" }
  if (value.text !== undefined && typeof value.text !== "string") return { path: ["text"], expected: "a string" }
  if (value.agent !== undefined && (typeof value.agent !== "string" || value.agent === ""))
    return { path: ["agent"], expected: "the name of an agent" }
  if (value.calls !== undefined && !Array.isArray(value.calls)) return { path: ["calls"], expected: "a list" }
  const calls: readonly unknown[] = Array.isArray(value.calls) ? value.calls : []
  for (const [index, call] of calls.entries()) {
    const problem = callProblem(call)
    if (problem !== undefined) return { ...problem, path: ["calls", index, ...problem.path] }
  }
  if (value.usage === undefined) return undefined
  const counts = isObject(value.usage) ? [value.usage.input, value.usage.output] : []
  const counted = counts.length > 0 && counts.every((each) => Number.isInteger(each) && Number(each) >= 0)
  return counted ? undefined : { path: ["usage"], expected: '{"input":TOKENS,"output":TOKENS}' }
}

function callProblem(call: unknown): Problem | undefined {
  if (!isObject(call)) return { path: [], expected: 'an object like {"name":"read","args":{}}' }
  const unknown = Object.keys(call).find((key) => !["name", "args", "input"].includes(key))
  if (unknown !== undefined) return { path: [unknown], expected: "one of the keys name, args, input" }
  if (typeof call.name !== "string" || call.name === "") return { path: ["name"], expected: "the name of a tool" }
  if (call.input !== undefined && typeof call.input !== "string")
    return { path: ["input"], expected: "the raw text of the arguments; JSON goes into args" }
  if (call.input !== undefined && call.args !== undefined) return { path: ["input"], expected: "either args or input" }
  return undefined
}

async function brokenJson({ file, number, text }: Source): Promise<ToolError> {
  const { parseTree, printParseErrorCode } = await import("jsonc-parser")
  const errors: import("jsonc-parser").ParseError[] = []
  parseTree(text, errors, { disallowComments: true, allowTrailingComma: false })
  const [first] = errors
  const reason = first === undefined ? "it is no JSON" : wordsOf(printParseErrorCode(first.error))
  return scriptError(`${file}:${number}:${(first?.offset ?? 0) + 1}`, reason)
}

/** The parser's `CommaExpected` as words. */
function wordsOf(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase()
}

async function wrongShape({ file, number, text }: Source, { path, expected }: Problem): Promise<ToolError> {
  const { findNodeAtLocation, parseTree } = await import("jsonc-parser")
  const tree = parseTree(text)
  let offset = tree?.offset ?? 0
  // The deepest part of the path that is there: a key that is missing has no place of its own.
  for (let depth = path.length; depth > 0; depth -= 1) {
    const node = tree && findNodeAtLocation(tree, path.slice(0, depth))
    if (node === undefined) continue
    offset = node.offset
    break
  }
  const place = path.length === 0 ? "the line" : `"${path.join(".")}"`
  return scriptError(`${file}:${number}:${offset + 1}`, `${place} must be ${expected}`)
}

function scriptError(place: string, reason: string): ToolError {
  return new ToolError("invalid_args", `Cannot use the script at ${place}: ${reason}`, { hint: lineHint })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
