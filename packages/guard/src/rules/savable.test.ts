import { expect, test } from "vitest"
import { parseRule } from "./parse-rule.js"
import { coversSample, whyNotSavable } from "./savable.js"

const allow = (text: string) => parseRule(text, "allow")
const forCommand = (text: string) => ({ rule: allow(`bash(${text})`), matches: text, differs: `${text} more` })
const forFile = { rule: allow("fs.write(src/a.ts)"), matches: "src/a.ts", differs: "src/other-a.ts" }

test.each([
  ["python3 -c 'print(1)'", "bash(python3 *)"],
  ["bash -c ls", "bash(bash -c *)"],
  ["sh x", "shell.run(sh *)"],
  ["npx thing", "bash(npx *)"],
  ["npm run x", "bash(npm run *)"],
  ["curl https://example.org", "bash(curl *)"],
  ["env ls", "bash(env *)"],
  ["xargs ls", "bash(xargs *)"],
  ["/usr/bin/python3 a.py", "bash(/usr/bin/python3 *)"],
  ["A=1 B=2 node a.js", "bash(A=1 B=2 node *)"],
])("no open end is saved after what runs other programs: %s", (command, rule) => {
  expect(whyNotSavable(allow(rule), forCommand(command))).toContain("runs whatever further words say")
})

test.each(["bash", "bash(*)", "shell.run(**)"])("no rule is saved that covers every command: %s", (rule) => {
  expect(whyNotSavable(allow(rule), forCommand("ls"))).toContain("a command line runs whatever")
})

test("no rule is saved that answers for every tool", () => {
  expect(whyNotSavable(allow("*"), forFile)).toContain("every tool")
})

test.each(["fs.write(other/**)", "fs.read(src/**)", "bash(ls)"])(
  "a rule that does not cover what is asked about is not its answer: %s",
  (rule) => {
    const why = whyNotSavable(allow(rule), rule.startsWith("fs.read") ? forCommand("ls") : forFile)
    expect(why).toMatch(/^it does not cover /)
  },
)

test.each([
  [allow("fs.write(src/**)"), forFile],
  [allow("fs.write(src/*.ts)"), forFile],
  [allow("bash(wc *)"), forCommand("wc src")],
  [allow("bash(git commit *)"), forCommand("git commit -m x")],
  [allow("bash(python3 -c 'print(1)')"), forCommand("python3 -c 'print(1)'")],
  [allow("todo"), { rule: allow("todo"), matches: "todo with any arguments", differs: "any other tool" }],
])("other rules that cover it are saved", (rule, proposal) => {
  expect(whyNotSavable(rule, proposal)).toBeUndefined()
})

test("whether a wider rule also covers the sample that it should not is known", () => {
  expect(coversSample(allow("fs.write(src/**)"), forFile.differs)).toBe(true)
  expect(coversSample(allow("fs.write(src/a.ts)"), forFile.differs)).toBe(false)
})
