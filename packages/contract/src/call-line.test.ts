import fc from "fast-check"
import { expect, test } from "vitest"
import { callLine, callSubject } from "./call-line.js"

const title = "Do"

test.each([
  [{ file_path: "src/a.ts", old_string: "x", new_string: "y" }, "Do src/a.ts"],
  [{ pattern: "TODO", path: "src" }, "Do TODO"],
  [{ url: "https://example.org/", path: "copy" }, "Do https://example.org/"],
  [{ command: "ls -la\necho two" }, "Do ls -la …"],
  [{ command: "Get-Date", description: "Look at the clock" }, "Do Look at the clock"],
  [{ command: "node", args: ["-e", "1 + 1"] }, 'Do node -e "1 + 1"'],
  [{ command: "checkout", target: "main", path: "a.ts", force: true }, "Do checkout main a.ts --force"],
  [{ action: "references", file_path: "a.ts", line: 4 }, "Do references a.ts"],
  [{ moves: [{ from: "a", to: "b" }, { from: "c" }] }, "Do a → b"],
  [{ moves: [{ from: "a" }] }, "Do a → "],
  [{ questions: [{ header: "Colour", question: "Which colour?" }] }, "Do Colour"],
  [
    {
      todos: [
        { content: "a", status: "completed" },
        { active_form: "Testing", status: "in_progress" },
      ],
    },
    "Do Testing",
  ],
  [{ todos: [{ content: "a", status: "pending" }] }, "Do"],
  [{ plan: "## First\nthen" }, "Do First …"],
  [{ patch: "*** Begin Patch\n*** Update File: src/b.ts\n" }, "Do src/b.ts"],
  [{ subagent_type: "explore", prompt: "Look around" }, "Do Look around"],
  [{ duration_ms: 500 }, "Do 500"],
  [{ city: "Basel", days: 3 }, "Do Basel"],
  [{ text: "what was copied" }, "Do"],
  [{}, "Do"],
])("the line of %j", (args, line) => {
  expect(callLine({ title }, args)).toBe(line)
})

test("arguments of any shape have a line or none, and never throw", () => {
  const keys = fc.constantFrom(
    "moves",
    "questions",
    "todos",
    "plan",
    "patch",
    "command",
    "action",
    "args",
    "file_path",
    "x",
  )
  let subjects = 0
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.dictionary(keys, fc.anything())), (args) => {
      const subject = callSubject(args)
      if (subject === undefined) return
      subjects += 1
      expect(typeof subject).toBe("string")
    }),
  )
  expect(subjects).toBeGreaterThan(0)
})
