import { defineDialectTool, type OutputOf, type ToolResult } from "@haft/contract"
import type { manifest } from "@haft/tools/files/read/index.js"
import * as z from "zod"
import { dataOf } from "../shared/parts-of-result.js"
import { type A3sOutput, worked } from "./a3s-output.js"

type Page = OutputOf<typeof manifest>

/** The most lines that one call gives; a larger limit is lowered to it, and the metadata says so. */
const maxLines = 2000

const input = z.strictObject({
  file_path: z.string().min(1).describe("Path to the file to read (absolute or relative to workspace)"),
  offset: z.int().min(0).optional().describe("Line number to start reading from (0-indexed, default 0)"),
  limit: z.int().min(1).optional().describe("Maximum number of lines to read (default 2000)"),
})

type Input = z.infer<typeof input>

export const readRow = defineDialectTool({
  name: "read",
  tool: "read",
  description: "Read the contents of a file. Returns line-numbered output. Supports text files and images.",
  input,
  toArguments: ({ file_path, offset = 0, limit = maxLines }) => ({
    file_path,
    offset,
    limit: Math.min(limit, maxLines),
  }),
  toValue: (result, call) => {
    const page = dataOf<Page>(result)
    return page.image === undefined ? textOutput(page, call) : imageOutput(page.image, result, call)
  },
})

function textOutput(page: Page, call: Input): A3sOutput {
  const { file_path, offset = 0 } = call
  const content = page.line_count === 0 ? `(end of file: offset ${offset} equals file length)\n` : numbered(page)
  return worked(content, { file_path, source_anchors: [file_path], range: rangeOf(page, call, content) })
}

/** Numbers are right-aligned in six columns, then a tab; the trailer says where to go on. */
function numbered({ content, start_line, next_offset, next_byte_offset }: Page): string {
  const lines = content.split(/\r?\n/)
  if (content.endsWith("\n")) lines.pop()
  const body = lines.map((line, index) => `${String(start_line + index).padStart(6)}\t${line}\n`).join("")
  if (next_offset !== undefined) return `${body}\n... (more lines available; continue with offset=${next_offset})\n`
  if (next_byte_offset === undefined) return body
  return `${body}\n... (the line is longer than a page; the next line is at offset=${start_line})\n`
}

function rangeOf(page: Page, { offset = 0, limit = maxLines }: Input, content: string) {
  return {
    offset,
    requested_limit: limit,
    applied_limit: Math.min(limit, maxLines),
    returned_lines: page.line_count,
    next_offset: page.next_offset ?? null,
    eof: page.eof,
    total_lines: page.total_lines ?? null,
    limit_clamped: limit > maxLines,
    output_bytes: new TextEncoder().encode(content).length,
  }
}

function imageOutput(image: NonNullable<Page["image"]>, result: ToolResult, { file_path }: Input): A3sOutput {
  return {
    ...worked(`[Image: ${image.media_type} (${image.bytes} bytes)]`, { file_path, media_type: image.media_type }),
    images: result.attachments.map(({ mediaType, data }) => ({ media_type: mediaType, data })),
  }
}
