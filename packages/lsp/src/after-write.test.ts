import fc from "fast-check"
import { expect, test } from "vitest"
import { newProblems } from "./after-write.js"
import type { Problem } from "./server/problems.js"

const problem = (line: number, message: string, severity: Problem["severity"] = "error"): Problem => ({
  line,
  character: 0,
  message,
  severity,
  origin: "ts 1",
})

test("a problem that only moved is not new", () => {
  const before = { text: "a\nb", problems: [problem(1, "bad b")] }
  expect(newProblems(before, { text: "x\ny\na\nb", problems: [problem(3, "bad b")] })).toEqual([])
})

test("the same problem on a further line is new, and that line is reported", () => {
  const before = { text: "call(1)", problems: [problem(0, "bad")] }
  const after = { text: "call(2)\ncall(1)", problems: [problem(0, "bad"), problem(1, "bad")] }
  expect(newProblems(before, after)).toEqual([problem(0, "bad")])
})

test("hints are not reported; a problem of another severity is another problem", () => {
  const before = { text: "a", problems: [problem(0, "x", "warning")] }
  const after = { text: "a", problems: [problem(0, "x"), problem(0, "y", "hint"), problem(0, "z", "information")] }
  expect(newProblems(before, after)).toEqual([problem(0, "x")])
})

const problems = fc.array(
  fc
    .record({ line: fc.nat(5), message: fc.constantFrom("a", "b", "c") })
    .map((each) => problem(each.line, each.message)),
  { maxLength: 8 },
)

test("what is new is among what is there; the same list has nothing new; from nothing all is new", () => {
  const text = "1\n2\n3\n4\n5\n6"
  fc.assert(
    fc.property(problems, problems, (before, after) => {
      const found = newProblems({ text, problems: before }, { text, problems: after })
      expect(found.every((each) => after.includes(each))).toBe(true)
      expect(found.length).toBeGreaterThanOrEqual(after.length - before.length)
      expect(newProblems({ text, problems: after }, { text, problems: after })).toEqual([])
      expect(newProblems({ text, problems: [] }, { text, problems: after })).toEqual(after)
    }),
  )
})
