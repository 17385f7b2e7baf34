import { defineDialectTool } from "@haft/contract"
import * as z from "zod"
import { dataOf } from "../shared/parts-of-result.js"

const path = z.string().describe("Absolute path to the file.")

/** `builtin:fs-read`: strict UTF-8, the whole file. */
export const fsReadRow = defineDialectTool({
  name: "builtin:fs-read",
  tool: "read_text",
  titles: { en: "Read File", "zh-CN": "读取文件" },
  description:
    "Reads a UTF-8 text file of up to 10 MiB at the given path; read parts of a larger one with builtin__shell-exec (head, tail, sed).",
  input: z.object({ path }),
  toArguments: (input) => ({ path: input.path }),
  toValue: (result) => ({ content: dataOf<{ content: string }>(result).content }),
})

/** `builtin:fs-write`: makes no folders, replaces without a word. */
export const fsWriteRow = defineDialectTool({
  name: "builtin:fs-write",
  tool: "write_text",
  titles: { en: "Write File", "zh-CN": "写入文件" },
  description: "Writes UTF-8 text to a file at the given path. Overwrites any existing file; its folder must exist.",
  input: z.object({ path, content: z.string().describe("Text content to write.") }),
  toArguments: (input) => ({ path: input.path, content: input.content }),
  toValue: (result) => ({ ok: true, bytesWritten: dataOf<{ bytes_written: number }>(result).bytes_written }),
})
