import { createHaft, tool } from "haft"
import * as z from "zod"

const wordCount = tool({
  id: "word_count",
  description: "Counts the words of a text file. Use when a length in words is wanted.",
  input: z.object({ path: z.string() }),
  reads: ({ path }) => [path],
  execute: async ({ path }, { files }) => ({ words: (await files.readText(path)).trim().split(/\s+/).length }),
})
const haft = await createHaft({ roots: ["."], tools: [wordCount] })
const session = await haft.openSession()
console.log((await session.call("word_count", { path: "notes.md" })).data)
// The tool names what it reads, so that the rules decide about it: secrets stay secret.
console.log((await session.call("word_count", { path: ".env" })).metadata.error_code)
await haft.close()
