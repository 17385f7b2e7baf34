import { expect, test } from "vitest"
import { proposeRule } from "./propose.js"
import { formatRule, joinWords, parseRule } from "./rule.js"
import { coversSample, whyNotSavable } from "./savable.js"

const allow = (text: string) => parseRule(text, "allow")
const forCommand = (text: string) => ({ rule: allow(`bash(${text})`), matches: text, differs: `${text} more` })
const part = { label: "bash", effects: [], opaque: true }
const ask = { verdict: "ask", reason: "", written: false, final: false, findings: [] } as const
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
  ["python3 -u a.py", "bash(python3 * a.py)"],
  ["sh -c ls", "bash(sh -c l?)"],
  ["npx thing --help", "bash(npx * --help)"],
])("no open end is saved after what runs other programs: %s", (command, rule) => {
  expect(whyNotSavable(allow(rule), forCommand(command))).toContain("runs or writes whatever further words say")
})

test.each([
  ["git -c core.pager=less status", "bash(git -c * status)"],
  ["git -c core.pager=less status", "bash(git -c core.*=less status)"],
  ["git -c core.pager=less status", "bash(/usr/bin/git -c core.pager=less *)"],
  ["git --exec-path=/x status", "exec(git --exec-path=* status)"],
  ["git -C lib status", "bash(git -C * status)"],
  ["git status", "bash(git *)"],
  ["git log -p", "bash(git log *)"],
  ["git push origin main", "bash(git push *)"],
  ["git rebase --exec ls main", "bash(git rebase --exec l? main)"],
  ["git bisect run ls", "bash(git bisect run l?)"],
  ["git config core.pager less", "bash(git config core.pager l*s)"],
  ["git submodule foreach ls", "bash(git submodule foreach l?)"],
  ["find src -name x", "bash(find *)"],
  ["find src -exec ls ;", "bash(find src -exec l? ;)"],
  ["find src -name x", "bash(find src * x)"],
  ["tar -cf a.tar src", "bash(tar -cf a.tar *)"],
  ["sort --compress-program=gzip a", "bash(sort --compress-program=* a)"],
  ["rg --pre cat x", "bash(rg --pre c?t x)"],
  ["sed s/a/b/ f", "bash(sed s/* f)"],
  ["less +F a", "bash(less +* a)"],
])("no wildcard is saved where an option that runs other programs could be: %s", (command, rule) => {
  expect(whyNotSavable(allow(rule), forCommand(command))).toContain("runs or writes whatever further words say")
})

test.each([
  ["git -c core.pager=less commit -m x", "bash(git -c core.pager=less commit -m x)"],
  ["git --exec-path=/x commit -m x", "bash(git --exec-path=/x commit -m x)"],
  ["git commit -m x", "bash(git commit *)"],
  ["find src -exec ls {} +", "bash(find src -exec ls '{}' +)"],
  ["sort --compress-program=gzip *", "bash(sort --compress-program=gzip '*')"],
])("what is offered for %s has no wildcard over such an option", (command, offered) => {
  const argv = command.split(" ")
  const proposal = proposeRule(
    "bash",
    [{ ...part, heads: [{ permission: "bash", subject: { kind: "command", argv } }] }],
    {
      ...ask,
      remedy: { permission: "bash", pattern: joinWords(argv), action: "allow" },
    },
  )!
  expect(formatRule(proposal.rule)).toBe(offered)
  expect(whyNotSavable(proposal.rule, proposal)).toBeUndefined()
})

test.each(["bash", "bash(*)", "shell.run(**)"])("no rule is saved that covers every command: %s", (rule) => {
  expect(whyNotSavable(allow(rule), forCommand("ls"))).toContain("a command line runs or writes whatever")
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
  [allow("bash(git checkout feature/*)"), forCommand("git checkout feature/a")],
  [allow("bash(git log -- src/*)"), forCommand("git log -- src/a")],
  [allow("bash(git -c core.pager=less status)"), forCommand("git -c core.pager=less status")],
  [allow("bash(find src -name x*y)"), forCommand("find src -name xy")],
  [allow("bash(rm build/*)"), forCommand("rm build/a")],
  [allow("bash(python3 tests/*)"), forCommand("python3 tests/a.py")],
  [allow("bash(mytool *)"), forCommand("mytool -x")],
  [allow("bash(python3 -c 'print(1)')"), forCommand("python3 -c 'print(1)'")],
  [allow("todo"), { rule: allow("todo"), matches: "todo with any arguments", differs: "any other tool" }],
])("other rules that cover it are saved", (rule, proposal) => {
  expect(whyNotSavable(rule, proposal)).toBeUndefined()
})

test("whether a wider rule also covers the sample that it should not is known", () => {
  expect(coversSample(allow("fs.write(src/**)"), forFile.differs)).toBe(true)
  expect(coversSample(allow("fs.write(src/a.ts)"), forFile.differs)).toBe(false)
})
