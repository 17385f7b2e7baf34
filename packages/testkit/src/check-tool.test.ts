import { defineManifest, defineTool, type Example, type ToolDefinition, text } from "@haft/contract"
import { expect, test } from "vitest"
import * as z from "zod"
import { checkTool } from "./check-tool.js"
import { runExample } from "./run-example.js"

const words = { title: "Shout", loading: "Shouting", done: "Shouted" }
const manifest = defineManifest({
  id: "shout_loud",
  title: "Shout",
  description: "Makes a text loud; use to wake people up",
  input: z.strictObject({ text: z.string() }),
  output: z.strictObject({ length: z.number(), head: z.string().optional() }),
  requires: {},
  kind: "other",
  tier: "read-only",
  limit: { unit: "bytes", max: 100, past: "paged" },
  retry: "safe",
  timeoutMs: 1000,
  effects: () => [],
})
const examples: readonly Example<typeof manifest>[] = [1, 2, 3].map((count) => ({
  name: `${count} letters`,
  input: { text: "a".repeat(count) },
  output: { length: count },
}))
const shout = defineTool<typeof manifest>({
  manifest,
  messages: { en: words, "zh-CN": words },
  present: ({ length }) => [text(`${length} letters`)],
  execute: async () => ({ execute: async (input) => ({ length: input.text.length }) }),
  examples: async () => ({ examples }),
})
const makeContext = () => ({ context: {} })
const broken = (change: object): ToolDefinition => ({ ...shout, ...change }) as unknown as ToolDefinition
const brokenManifest = (change: object) => broken({ manifest: { ...manifest, ...change } })

test("a sound tool has no problems", async () => {
  expect(await checkTool(shout, { folder: "shout-loud", makeContext })).toEqual([])
})

test.each<[string, ToolDefinition, string]>([
  ["an id with a capital", brokenManifest({ id: "Shout" }), 'the id "Shout"'],
  ["an id with a colon", brokenManifest({ id: "a:b" }), 'the id "a:b"'],
  ["no word about when", brokenManifest({ description: "Makes a text very loud indeed" }), "when to use"],
  ["a loose input", brokenManifest({ input: z.object({ text: z.string() }) }), "input accepts unknown keys"],
  [
    "a loose member",
    brokenManifest({
      input: z.strictObject({ text: z.string(), of: z.array(z.object({ a: z.string() })).optional() }),
    }),
    "input.of[] accepts unknown keys",
  ],
  ["no head", brokenManifest({ output: z.strictObject({ length: z.number() }) }), '"head"'],
  ["a required head", brokenManifest({ output: z.strictObject({ length: z.number(), head: z.string() }) }), '"head"'],
  ["no requires", brokenManifest({ requires: undefined }), "does not say what it requires"],
  [
    "writes as read-only",
    brokenManifest({ requires: { fs: { write: ["{workspace}/**"] } } }),
    "calls itself read-only",
  ],
  [
    "a limit on nothing",
    brokenManifest({ limit: { unit: "entries", max: 1, past: "sidecar", field: "rows" } }),
    '"rows"',
  ],
  [
    "a missing word",
    broken({ messages: { en: words, "zh-CN": { ...words, done: "" } } }),
    '"done" is missing in zh-CN',
  ],
  ["too few examples", broken({ examples: async () => ({ examples: examples.slice(1) }) }), "2 examples"],
  [
    "an example with a wrong input",
    broken({ examples: async () => ({ examples: [{ ...examples[0], input: { txt: "" } }, ...examples.slice(1)] }) }),
    "its input is not valid",
  ],
  [
    "an example of another output",
    broken({ examples: async () => ({ examples: [{ ...examples[0], output: { size: 1 } }, ...examples.slice(1)] }) }),
    'no "size"',
  ],
  [
    "an example that ends otherwise",
    broken({ examples: async () => ({ examples: [{ ...examples[0], output: { length: 9 } }, ...examples.slice(1)] }) }),
    "length is 1 instead of 9",
  ],
  ["an empty text for the model", broken({ present: () => [] }), "what the model reads is empty"],
  [
    "an echo",
    broken({ present: (_: unknown, input: { text: string }) => [text(`You said ${input.text}`)] }),
    'the result repeats "text"',
  ],
])("%s is found", async (_, tool, problem) => {
  expect((await checkTool(tool, { makeContext })).join("\n")).toContain(problem)
})

test("a folder of another name is found", async () => {
  expect(await checkTool(shout, { folder: "shout_loud" })).toEqual([
    'the folder is called "shout_loud" instead of "shout-loud"',
  ])
})

test("an example is run in its own workspace, and files afterwards are compared", async () => {
  const example = { ...examples[0]!, files: { "a.txt": "x" }, after: { "a.txt": "y" } }
  await expect(runExample(shout, example, makeContext)).rejects.toThrow('"a.txt" holds "x" instead of "y"')
})
