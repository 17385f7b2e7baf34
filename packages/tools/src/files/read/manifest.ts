import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"

/** Lines of a page when the call names no limit. */
export const defaultLineLimit = 2000

const count = z.int().min(0)

/** What is known about `read` without running it. */
export const manifest = defineManifest({
  id: "read",
  title: "Read file",
  description:
    "Reads a file as numbered lines, a page at a time; also images, PDF text and notebooks. Does not list directories. Use before changing a file.",
  input: z.strictObject({
    file_path: z.string().min(1).describe("Absolute, or from the working directory"),
    offset: count.default(0).describe("First line, from 0"),
    limit: z.int().min(1).default(defaultLineLimit).describe("Lines"),
    byte_offset: count.optional().describe("Read bytes instead of lines from here"),
    byte_limit: z.int().min(1).optional().describe("Bytes"),
  }),
  output: outputSchema({
    content: z.string().describe("The text as it stands in the file, decoded; empty for an image"),
    start_line: count.describe("Number of the first line, from 1; 0 when it is not known or there are no lines"),
    line_count: count,
    eof: z.boolean(),
    next_offset: count.optional().describe("The offset that goes on after this page"),
    next_byte_offset: count.optional().describe("The byte_offset that goes on after this page"),
    total_lines: count.optional().describe("Known when the end was reached"),
    encoding: z.string(),
    encoding_guessed: z.literal(true).optional(),
    media_type: z.string(),
    image: z
      .strictObject({ media_type: z.string(), width: count, height: count, bytes: count, resized: z.boolean() })
      .optional()
      .describe("The attached image"),
  }),
  requires: { fs: { read: ["{workspace}/**", "{ad-hoc}/**"] } },
  toolset: "locked",
  kind: "read",
  tier: "read-only",
  limit: { unit: "bytes", max: 200_000, past: "paged" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: ({ file_path }) => [{ kind: "fs.read", path: file_path }],
  habits: {
    end_line: 'Say where to begin with "offset" and how many lines with "limit"',
    line_end: 'Say where to begin with "offset" and how many lines with "limit"',
    encoding: "Leave it out: the encoding is recognised",
    pages: 'Say where to begin with "offset" and how many lines with "limit"',
    view_range: 'Say where to begin with "offset" and how many lines with "limit"',
  },
})
