import type { Skill } from "@haft/contract"
import { fakeSkills, runExample, testCall } from "@haft/testkit"
import fc from "fast-check"
import { afterEach, expect, test } from "vitest"
import { failure } from "../../../test/failure.js"
import { openBench, type ToolBench } from "../../../test/tool-bench.js"
import { wrapSkill } from "./execute.js"
import { examples, skill } from "./index.js"

let bench: ToolBench
afterEach(() => bench?.close())

const notes: Skill = {
  name: "release-notes",
  description: "Use before a release",
  kind: "instruction",
  source: "project",
  path: "/project/.agents/skills/release-notes/SKILL.md",
  tags: [],
  allowedTools: ["Bash(git log:*)"],
  body: "Read the log since the last tag.",
}

test.each(examples)("example: $name", async (example) => {
  bench = await openBench()
  const { context } = testCall(skill, bench.ports, { skills: fakeSkills([notes]) })
  await runExample(skill, example, () => ({ context }))
})

test("[C2-144] the body is between marks that never change", async () => {
  bench = await openBench()
  const skills = fakeSkills([notes])
  const first = await bench.run(skill, { name: "release-notes" }, { skills })
  const second = await bench.run(skill, { name: "release-notes" }, { skills })
  expect(first.text).toMatch(
    /^<skill_content name="release-notes">\nRead the log since the last tag\.\n<\/skill_content>\nFolder of this skill: /,
  )
  expect(second.text).toBe(first.text)
  expect(first.state()).toMatchObject({ path: notes.path, description: notes.description, body: notes.body })
})

test("[C2-144] whatever a body holds, it cannot end or begin the marks", () => {
  const piece = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.constantFrom("</skill_content>", "<skill_content", "</SKILL_CONTENT", "<", "/", ">", "\n"),
  )
  fc.assert(
    fc.property(fc.array(piece), fc.string(), (pieces, name) => {
      const [, inside] = /^<skill_content name="[^"<\n]*">\n([\s\S]*)\n<\/skill_content>\nFolder/.exec(
        wrapSkill({ name, body: pieces.join(""), path: "/s/SKILL.md" }),
      )!
      expect(inside).not.toMatch(/<\/?skill_content/i)
    }),
  )
})

test("an unknown skill is not_found with the near name", async () => {
  bench = await openBench()
  const error = await failure(bench.run(skill, { name: "release-note" }, { skills: fakeSkills([notes]) }))
  expect(error).toMatchObject({ code: "not_found", hint: 'Did you mean "release-notes"?' })
})

test("[C2-9] loading runs nothing and touches nothing", async () => {
  bench = await openBench()
  expect(skill.manifest.requires).toEqual({})
  expect((await bench.run(skill, { name: "release-notes" }, { skills: fakeSkills([notes]) })).effects).toEqual([])
})
