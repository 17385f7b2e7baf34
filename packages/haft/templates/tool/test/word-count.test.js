import assert from "node:assert/strict"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import test from "node:test"
import { createHaft } from "haft"
import { wordCount } from "../src/index.js"

test("counts the words of a file, in a real session", async () => {
  const root = mkdtempSync(join(tmpdir(), "word-count-"))
  writeFileSync(join(root, "a.txt"), "one two three\n")
  const haft = await createHaft({ roots: [root], home: join(root, "state"), tools: [wordCount] })
  try {
    const session = await haft.openSession()
    const envelope = await session.call("word_count", { path: "a.txt" }, { answer: "once" })
    assert.equal(envelope.type === "output" && envelope.data.words, 3)
  } finally {
    await haft.close()
    rmSync(root, { recursive: true })
  }
})
