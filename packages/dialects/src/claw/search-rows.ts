import { defineDialectTool, type ToolResult } from "@haft/contract"
import * as z from "zod"
import { dataOf, given } from "../shared/parts-of-result.js"
import { durationMs } from "./duration-ms.js"

const most = 100

/** `glob_search`: the newest first, at most 100. */
export const globSearchRow = defineDialectTool({
  name: "glob_search",
  tool: "glob_search",
  description: "Find files by glob pattern.",
  input: z.strictObject({ pattern: z.string().min(1), path: z.string().min(1).optional() }),
  toArguments: given,
  toValue: (result) => {
    const { paths, complete } = dataOf<{ readonly paths: readonly string[]; readonly complete: boolean }>(result)
    const filenames = paths.slice(0, most)
    return {
      durationMs: durationMs(result),
      numFiles: filenames.length,
      filenames,
      truncated: !complete || paths.length > most || result.envelope.metadata?.truncated === true,
    }
  },
  tier: "read-only",
})

interface GrepPage {
  readonly mode: string
  readonly filenames: readonly string[]
  readonly content?: string
  readonly num_lines?: number
  readonly num_matches?: number
  readonly applied_limit?: number
  readonly applied_offset?: number
}

const count = z.int().min(0)

/** `grep_search` with its fourteen knobs. */
export const grepSearchRow = defineDialectTool({
  name: "grep_search",
  tool: "grep_search",
  description: "Search file contents with a regex pattern.",
  input: z.strictObject({
    pattern: z.string().min(1),
    path: z.string().min(1).optional(),
    glob: z.string().min(1).optional(),
    output_mode: z.enum(["files_with_matches", "content", "count"]).optional(),
    "-B": count.optional(),
    "-A": count.optional(),
    "-C": count.optional(),
    context: count.optional(),
    "-n": z.boolean().optional(),
    "-i": z.boolean().optional(),
    type: z.string().min(1).optional(),
    head_limit: count.optional(),
    offset: count.optional(),
    multiline: z.boolean().optional(),
  }),
  toArguments: given,
  toValue: (result) => {
    const page = dataOf<GrepPage>(result)
    return {
      mode: page.mode,
      numFiles: page.filenames.length,
      filenames: page.filenames,
      content: withNote(page.content, result) ?? null,
      numLines: page.num_lines ?? null,
      numMatches: page.num_matches ?? null,
      appliedLimit: page.applied_limit ?? null,
      appliedOffset: page.applied_offset ?? null,
    }
  },
  tier: "read-only",
})

/** No field names the file with the rest, so a line does. */
function withNote(content: string | undefined, { envelope }: ToolResult): string | undefined {
  const path = envelope.metadata?.output_path
  if (content === undefined || path === undefined) return content
  return `${content}\n[Truncated: more of the output is in ${path}; open it with read_file]`
}
