import { ToolError } from "@haft/contract"
import { expect, test } from "vitest"
import { failed } from "../../test/dialect-bench.js"
import { claw } from "./claw.js"
import { hintIn } from "./hint-names.js"
import { lobe } from "./lobe.js"

test.each([
  ["Look for it with glob or ls", "glob_search", "globLocalFiles or listLocalFiles"],
  ["List it with ls", "glob_search", "listLocalFiles"],
  ["To create a file or replace all of it use write", "write_file", "writeLocalFile"],
  ["Open it with read", "read_file", "readLocalFile"],
])("%s: a next step can be taken there", (hint, inClaw, inLobe) => {
  const result = failed(new ToolError("not_found", "Cannot read it", { hint }))
  expect(claw.project(result, claw.tools[1], {}).text).toContain(inClaw)
  const { value, text } = lobe.project(result, lobe.tools[0], {})
  expect(text).toContain(inLobe)
  expect(value).toMatchObject({ error: { body: { hint: expect.stringContaining(inLobe) } } })
})

test("words that name no tool stay", () => {
  const names = [["read", "read_file"]] as const
  for (const words of ["Read the file and read on", "with reading", "with read-only rights", "use read_text"])
    expect(hintIn(names, words)).toBe(words)
})
