import { defineDialectTool, type OutputOf, type ToolResult } from "@haft/contract"
import type { manifest as editManifest } from "@haft/tools/files/edit/index.js"
import type { manifest as lsManifest } from "@haft/tools/files/ls.js"
import type { manifest as patchManifest } from "@haft/tools/files/patch/index.js"
import type { manifest as writeManifest } from "@haft/tools/files/write/index.js"
import * as z from "zod"
import { dataOf, given } from "../shared/parts-of-result.js"
import { worked } from "./a3s-output.js"

const editInput = z.strictObject({
  file_path: z.string().min(1).describe("Path to the file to edit"),
  old_string: z.string().describe("The exact string to replace (must be unique unless replace_all=true)"),
  new_string: z.string().describe("The string to replace it with"),
  replace_all: z.boolean().optional().describe("Replace all occurrences (default false)"),
})

export const writeRow = defineDialectTool({
  name: "write",
  tool: "write",
  description: "Write content to a file. Creates the file and parent directories if they don't exist.",
  input: z.strictObject({
    file_path: z.string().min(1).describe("Path to the file to write"),
    content: z.string().describe("Content to write to the file"),
  }),
  toArguments: (input) => input,
  toValue: (result, { content }) => {
    const { file_path, created, bytes_written } = dataOf<OutputOf<typeof writeManifest>>(result)
    const words = `Wrote ${bytes_written} bytes (${lineCount(content)} lines) to ${file_path}`
    return worked(words, { file_path, created, after: content })
  },
})

export const editRow = defineDialectTool({
  name: "edit",
  tool: "edit",
  description:
    "Edit a file by replacing a specific string with another. The old_string must be unique in the file unless replace_all is true.",
  input: editInput,
  toArguments: given,
  toValue: (result) => {
    const { file_path, replacements } = dataOf<OutputOf<typeof editManifest>>(result)
    return worked(`Replaced ${replacements} occurrence(s) in ${file_path}`, {
      file_path,
      replacement_count: replacements,
      ...hunksOf(result),
    })
  },
})

export const patchRow = defineDialectTool({
  name: "patch",
  tool: "patch",
  description:
    "Apply a unified diff patch to a file. Use this for complex multi-line edits where the edit tool would be cumbersome. The diff must be in unified diff format with @@ hunk headers.",
  input: z.strictObject({
    file_path: z.string().min(1).describe("Path to the file to patch"),
    diff: z
      .string()
      .describe(
        "Unified diff content with @@ hunk headers. Example:\n@@ -1,3 +1,3 @@\n line1\n-old_line\n+new_line\n line3",
      ),
  }),
  toArguments: (input) => input,
  toValue: (result) => {
    const { file_path, hunks, added, removed } = dataOf<OutputOf<typeof patchManifest>>(result)
    const words = `Applied ${hunks} hunk(s) to ${file_path}`
    return worked(words, { file_path, hunk_count: hunks, added, removed, ...hunksOf(result) })
  },
})

export const lsRow = defineDialectTool({
  name: "ls",
  tool: "ls",
  description: "List contents of a directory with file types and sizes.",
  input: z.strictObject({
    path: z.string().min(1).optional().describe("Directory path to list (default workspace root)"),
  }),
  toArguments: given,
  toValue: (result, { path = "." }) => {
    const { entries, complete, denied } = dataOf<OutputOf<typeof lsManifest>>(result)
    const lines = entries.map(entryLine)
    if (!complete) lines.push("... (more entries available)")
    const content = lines.length === 0 ? `Directory is empty: ${path}` : lines.join("\n")
    return worked(content, {
      path,
      entry_count: entries.length,
      truncated: !complete,
      ...(denied !== undefined && { denied }),
    })
  },
})

/** As the program counts them: a line break ends a line, and what follows the last one is a line too. */
function lineCount(content: string): number {
  if (content === "") return 0
  const breaks = content.split("\n").length - 1
  return content.endsWith("\n") ? breaks : breaks + 1
}

/** What an edit changed, for programs; the model wrote it and need not read it. */
function hunksOf({ state }: ToolResult): { readonly hunks?: unknown } {
  const hunks = (state as { readonly hunks?: unknown } | null | undefined)?.hunks
  return hunks === undefined ? {} : { hunks }
}

const typeWords = { file: "file", directory: "dir", link: "link", other: "other" } as const

function entryLine({ name, type, size }: OutputOf<typeof lsManifest>["entries"][number]): string {
  // A name may hold line breaks, which would look like further entries.
  const shown = /[\n\r\t]/.test(name) ? JSON.stringify(name) : name
  const bytes = type === "file" ? String(size) : "-"
  return `${typeWords[type].padEnd(5)} ${bytes.padStart(10)}  ${shown}${type === "directory" ? "/" : ""}`
}
