import { type Execute, ToolError } from "@haft/contract"
import type { manifest } from "./index.js"

/** Reads the whole file and gives the lines that are wanted. Nothing is guessed and nothing is replaced. */
export const execute: Execute<typeof manifest> = async ({ path, offset = 0, limit, refuse_binary }, context) => {
  const file = await context.files.readAll(path, { maxBytes: context.limit }).catch((error: unknown) => {
    throw ToolError.is(error) && error.code === "too_large" ? tooLarge(path, context.limit, error) : error
  })
  if (refuse_binary && file.bytes.subarray(0, headBytes).includes(0)) throw isBinary(path)
  const text = strictText(file.bytes, path)
  const starts = lineStarts(text)
  const first = Math.min(offset, starts.length)
  const end = limit === undefined ? starts.length : Math.min(first + limit, starts.length)
  return {
    path: file.path,
    content: text.slice(starts[first] ?? text.length, starts[end] ?? text.length),
    start_line: first + 1,
    line_count: end - first,
    total_lines: starts.length,
  }
}

// Where binary files give themselves away.
const headBytes = 8_192
// A byte order mark is part of the text here, as every other character.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

function strictText(bytes: Uint8Array, path: string): string {
  try {
    return decoder.decode(bytes)
  } catch (cause) {
    throw new ToolError("unsupported", `Cannot read "${path}": it is not valid UTF-8 text`, { cause })
  }
}

/** A next step that these callers have: they cannot ask for a part of a file that is read whole. */
function tooLarge(path: string, limit: number, { details }: ToolError): ToolError {
  return new ToolError("too_large", `Cannot read "${path}": it has more than ${limit} bytes`, {
    hint: { say: "Read a part of it with {tool:bash|exec}, for instance with head, tail or sed" },
    details,
  })
}

function isBinary(path: string): ToolError {
  return new ToolError("unsupported", `Cannot read "${path}": the file appears to be binary`)
}

/** Where the lines of a text begin; what follows the last line break is a line only if there is something. */
export function lineStarts(text: string): readonly number[] {
  const starts: number[] = []
  for (let at = 0; at < text.length; ) {
    starts.push(at)
    const feed = text.indexOf("\n", at)
    if (feed === -1) break
    at = feed + 1
  }
  return starts
}
