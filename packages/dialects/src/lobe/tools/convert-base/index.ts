import { defineManifest, defineTool, type Example, type Present, type ToolMessages, text } from "@haft/contract"
import { outputSchema } from "@haft/tools/output.js"
import * as z from "zod"

const base = z.int().min(2).max(36)

export const manifest = defineManifest({
  id: "convert_base",
  title: "Convert base",
  description: "Writes a whole number of any size in another base, exactly. Use for binary, hexadecimal and the like.",
  input: z.strictObject({
    number: z.union([z.string().min(1).max(10_000), z.int()]).describe("Digits in fromBase, for instance FF or -1010"),
    fromBase: base,
    toBase: base,
  }),
  output: outputSchema({
    result: z.string().describe("Digits above 9 as capital letters"),
    decimal: z.string().describe("The same number in base 10"),
  }),
  requires: {},
  kind: "other",
  tier: "read-only",
  limit: { unit: "bytes", max: 50_000, past: "sidecar", fields: ["result"], keep: "head" },
  retry: "safe",
  timeoutMs: 30_000,
  effects: () => [],
  judgedLike: "calculator",
})

/** The bare digits. */
const present: Present<typeof manifest> = ({ result }) => [text(result)]

const messages: ToolMessages = {
  en: { title: "Convert base", loading: "Converting the number", done: "Converted the number" },
  "zh-CN": { title: "进制转换", loading: "正在转换进制", done: "已转换进制" },
}

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "hexadecimal to binary",
    input: { number: "fF", fromBase: 16, toBase: 2 },
    output: { result: "11111111", decimal: "255" },
  },
  {
    name: "a negative number beyond 64 bits",
    input: { number: "-340282366920938463463374607431768211456", fromBase: 10, toBase: 16 },
    output: { result: "-100000000000000000000000000000000" },
  },
  { name: "a number instead of text", input: { number: 1010, fromBase: 2, toBase: 10 }, output: { result: "10" } },
  { name: "a digit that the base lacks", input: { number: "129", fromBase: 8, toBase: 10 }, fails: "invalid_args" },
  { name: "a fraction", input: { number: "1.5", fromBase: 10, toBase: 2 }, fails: "invalid_args" },
]

/** Writes a whole number in another base. */
export const convertBase = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  faces: () => import("@haft/tools/launcher/ui/value-faces.js"),
})
