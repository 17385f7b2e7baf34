import { type OutputOf, type Present, text } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Each file under its name with numbered lines, then how many could not be read. */
export const present: Present<typeof manifest> = ({ files, failed }) => {
  const note = failed === 0 ? [] : [`[${failed} of ${files.length} files could not be read]`]
  return [text([...files.map(fileText), ...note].join("\n\n"))]
}

function fileText(file: OutputOf<typeof manifest>["files"][number]): string {
  const title = `=== ${/[\n\r]/.test(file.path) ? JSON.stringify(file.path) : file.path} ===`
  return [title, ...(file.error === undefined ? bodyOf(file) : [file.error])].join("\n")
}

function bodyOf({ content, start_line, line_count, eof }: OutputOf<typeof manifest>["files"][number]): string[] {
  if (line_count === 0) return ["[No lines here]"]
  const lines = content.replace(/\r?\n$/, "").split(/\r?\n/)
  const numbered = lines.map((line, index) => `${String(start_line + index).padStart(6)}\t${line}`)
  return eof ? numbered : [...numbered, `[Lines ${start_line} to ${start_line + line_count - 1}; there are more]`]
}
