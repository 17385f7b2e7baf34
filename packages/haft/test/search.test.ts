import { readFile } from "node:fs/promises"
import { dialectNamed } from "@haft/dialects"
import { afterEach, expect, test } from "vitest"
import { type LibraryWorld, libraryWorld } from "./library-world.js"

let world: LibraryWorld
afterEach(() => world.remove())

test("a search that stopped before its end does not call its file the whole", async () => {
  world = await libraryWorld({ "a.txt": "hit\n".repeat(5_000) })
  const session = await (await world.haft()).openSession()
  const { envelope, content } = await session.result("grep", { pattern: "hit" })
  expect(envelope).toMatchObject({ type: "output", data: { match_count: 2_000, complete: false } })
  const said = content.map((part) => (part.type === "text" ? part.text : "")).join("\n")
  expect(said).toContain("there may be more")
  expect(said).toContain("200 of 2000 matches are shown, all 2000 are in ")
  expect(said).not.toContain("whole")
  const kept = await readFile(envelope.metadata.output_path!, "utf8")
  expect(kept.split("\n").filter((line) => /^\d+:hit$/.test(line))).toHaveLength(2_000)
  expect(kept).toContain("there may be more")
})

test.each([
  ["claw", "grep_search", { pattern: "foo(?!bar)", glob: "app/[id]/*.tsx", output_mode: "content" }, "foobaz"],
  ["claw", "glob_search", { pattern: "app/[id]/*.tsx" }, "app/[id]/page.tsx"],
  ["claw", "grep_search", { pattern: "x\\ny" }, "multiline true"],
  ["claw", "glob_search", { pattern: "*.ts,*.tsx" }, "{*.ts,*.tsx}"],
  ["a3s", "grep", { pattern: "foo(?!bar)", glob: "app/[id]/*.tsx" }, "foobaz"],
  ["a3s", "glob", { pattern: "*.{ts,tsx" }, "*.{ts,tsx}"],
  ["lobe", "lobe-local-system____grepContent", { pattern: "foo(?!bar)", output_mode: "content" }, "foobaz"],
  ["lobe", "lobe-local-system____globLocalFiles", { pattern: "app/[id]/*.tsx" }, "app/[id]/page.tsx"],
  ["lobe", "lobe-local-system____searchLocalFiles", { keywords: "*.tsx" }, "no wildcards"],
])("%s: %s %j", async (dialect, name, input, expected) => {
  world = await libraryWorld({ "app/[id]/page.tsx": "foobar\nfoobaz\n", "app/x/page.tsx": "" })
  const session = await (await world.haft()).openSession()
  const { projection } = await session.callIn((await dialectNamed(dialect))!, name, input)
  expect(projection.text).toContain(expected)
})
