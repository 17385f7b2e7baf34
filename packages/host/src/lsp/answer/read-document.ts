import { type FileReader, ToolError } from "@haft/contract"
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
