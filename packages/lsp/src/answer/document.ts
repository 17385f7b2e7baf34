import { type FileReader, type LanguageRequest, ToolError } from "@haft/contract"
import { maxDocumentBytes } from "../limits.js"

/** A file as a server is sent it. */
export interface Document {
  /** Absolute, links followed. */
  readonly path: string
  readonly text: string
}

/** Reads a file inside the grant of the call. */
export async function readDocument(files: Pick<FileReader, "open">, path: string): Promise<Document> {
  const file = await files.open(path)
  try {
    if (file.size > maxDocumentBytes) {
      const limit = maxDocumentBytes / 1024 / 1024
      throw new ToolError("too_large", `Cannot look into "${path}": it has more than ${limit} MB`, {
        hint: { say: "Use {tool:grep} and {tool:read} instead" },
      })
    }
    return { path: file.path, text: decode(file.whole ?? (await file.read(0, file.size))) }
  } finally {
    await file.close()
  }
}

/** The text of a file as compilers read it: UTF-8, or UTF-16 where a mark says so; without the mark. */
export function decode(bytes: Uint8Array): string {
  const [first, second] = bytes
  const encoding = first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : ""
  return new TextDecoder(encoding || "utf-8").decode(bytes)
}

/** The lines of a text as servers count them. */
export function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|\n|\r/)
}

/** A place in a document as the protocol counts: from 0, in UTF-16 units. */
export interface Position {
  readonly line: number
  readonly character: number
}

type Asked = Pick<LanguageRequest, "action" | "path" | "line" | "character" | "query">

/** The place that is asked about: line and character, or the first place of a name in the line or in the file. */
export function positionOf(asked: Asked, document: Document): Position {
  const lines = linesOf(document.text)
  const { line, character, query } = asked
  if (line !== undefined && line > lines.length) {
    throw invalid(asked, `line ${line} does not exist; the file has ${lines.length} lines`)
  }
  if (line !== undefined && character !== undefined) return inLine(asked, lines[line - 1]!)
  if (query === undefined || query === "") {
    throw invalid(asked, "the place is missing; give line and character, or line and query with the name to look for")
  }
  return nameIn(asked, line === undefined ? lines.entries() : [[line - 1, lines[line - 1]!]])
}

function inLine(asked: Asked, content: string): Position {
  const { line = 1, character = 1 } = asked
  // One past the last character is the end of the line, where an editor can put its cursor too.
  if (character > content.length + 1) {
    throw invalid(asked, `line ${line} has ${content.length} characters, not ${character}; give query with the name`)
  }
  return { line: line - 1, character: character - 1 }
}

function nameIn(asked: Asked, lines: Iterable<readonly [number, string]>): Position {
  const query = asked.query!
  let part: Position | undefined
  for (const [line, content] of lines) {
    for (let at = content.indexOf(query); at >= 0; at = content.indexOf(query, at + 1)) {
      if (isWhole(content, at, query.length)) return { line, character: at }
      part ??= { line, character: at }
    }
  }
  if (part) return part
  const where = asked.line === undefined ? "" : ` in line ${asked.line}`
  throw new ToolError(
    "not_found",
    `Cannot ask for the ${asked.action} of "${query}": it does not occur${where} in "${asked.path}"`,
    { hint: { say: "Check the name with {tool:grep}" } },
  )
}

function isWhole(content: string, at: number, length: number): boolean {
  return !isWordCharacter(content[at - 1]) && !isWordCharacter(content[at + length])
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_$]/u.test(character)
}

function invalid({ action, path }: Asked, reason: string): ToolError {
  return new ToolError("invalid_args", `Cannot ask for the ${action} in "${path}": ${reason}`)
}
