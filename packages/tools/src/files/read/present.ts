import { type InputOf, type OutputOf, type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

type Output = OutputOf<typeof manifest>

/** Numbered lines for a read by lines, the bare text for a read by bytes, and where to go on. */
export const present: Present<typeof manifest> = (output, input) => {
  if (output.image) return [text(imageLine(output.image))]
  const byBytes = input.byte_offset !== undefined || input.byte_limit !== undefined
  const body = byBytes ? output.content : numbered(output)
  const notes = [...placeNotes(output, input), ...encodingNotes(output)].map((note) => `[${note}]`).join("\n")
  if (body === "") return [text(notes === "" ? "[No text here]" : notes)]
  if (notes === "") return [text(body)]
  return [text(body.endsWith("\n") ? body + notes : `${body}\n${notes}`)]
}

function imageLine({ media_type, width, height, bytes, resized }: NonNullable<Output["image"]>): string {
  return `[Image: ${media_type} ${width}x${height}, ${bytes} bytes${resized ? ", scaled down" : ""}]`
}

/** Written for speed: every read goes through here. */
function numbered({ content, start_line }: Output): string {
  if (content === "") return ""
  // The carriage return of a line break is no part of the line's text.
  const lines = content.split(content.includes("\r") ? /\r?\n/ : "\n")
  if (content.endsWith("\n")) lines.pop()
  for (let index = 0; index < lines.length; index += 1)
    lines[index] = `${numberOf(start_line + index)}\t${lines[index]}`
  return lines.join("\n")
}

function numberOf(line: number): string {
  return line < 100_000 ? `     ${line}`.slice(-6) : String(line)
}

function placeNotes(output: Output, input: InputOf<typeof manifest>): readonly string[] {
  const { content, start_line, line_count, total_lines, next_offset, next_byte_offset } = output
  if (next_offset !== undefined) {
    return [`Lines ${start_line} to ${start_line + line_count - 1}; go on with offset=${next_offset}`]
  }
  if (next_byte_offset !== undefined && input.byte_offset === undefined && input.byte_limit === undefined) {
    const next = `or with the next line at offset=${start_line}`
    return [`Line ${start_line} is longer than a page; go on inside it with byte_offset=${next_byte_offset}, ${next}`]
  }
  if (next_byte_offset !== undefined) return [`Go on with byte_offset=${next_byte_offset}`]
  if (content !== "") return []
  return [total_lines === 0 ? "The file is empty" : `End of file${total_lines ? `: ${total_lines} lines` : ""}`]
}

function encodingNotes({ encoding, encoding_guessed }: Output): readonly string[] {
  if (encoding_guessed) return [`Encoding guessed: ${encoding}`]
  return encoding === "utf-8" ? [] : [`Encoding: ${encoding}`]
}
