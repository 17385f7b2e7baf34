import { expect, expectTypeOf, test } from "vitest"
import * as z from "zod"
import type { Context } from "./context.js"
import { defineManifest, type Execute } from "./manifest.js"
import type { FileReader, FileWriter } from "./port/files.js"

const base = {
  title: "Sample",
  description: "A sample.",
  input: z.strictObject({ path: z.string() }),
  output: z.object({ size: z.number() }),
  kind: "read",
  tier: "read-only",
  limit: { unit: "bytes", max: 10, past: "paged" },
  retry: "safe",
  timeoutMs: 1000,
  effects: () => [],
} as const

const pure = defineManifest({ ...base, id: "pure", requires: {} })
const reader = defineManifest({ ...base, id: "reader", requires: { fs: { read: ["{workspace}/**"] } } })
const writer = defineManifest({ ...base, id: "writer", requires: { fs: { write: ["{workspace}/**"] } } })
const both = defineManifest({ ...base, id: "both", requires: { fs: { read: ["a"], write: ["b"] } } })

test("a tool sees the ports that its manifest requires and no other: the rest does not compile", () => {
  const touch: Execute<typeof pure> = async (_input, context) => {
    // @ts-expect-error a tool without requirements has no files
    void context.files
    // @ts-expect-error nor search
    void context.search
    return { size: context.limit }
  }
  const read: Execute<typeof reader> = async ({ path }, { files, search }) => {
    // @ts-expect-error a reader cannot write
    void files.write
    void search.grep
    // @ts-expect-error the input has no such key
    void path.nothing
    return { size: (await files.readAll(path, { maxBytes: 1 })).size }
  }
  const write: Execute<typeof writer> = async (_input, { files }) => {
    // @ts-expect-error a writer cannot read
    void files.readAll
    void files.write
    return { size: 0 }
  }
  // @ts-expect-error the output must have the manifest's shape
  const lie: Execute<typeof reader> = async () => ({ bytes: 1 })
  expect([touch, read, write, lie]).toHaveLength(4)
})

test("required ports add up", () => {
  expectTypeOf<Context<typeof both.requires>["files"]>().toEqualTypeOf<FileReader & FileWriter>()
})
