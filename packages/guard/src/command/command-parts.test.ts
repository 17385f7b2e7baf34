import { describe, expect, test } from "vitest"
import { judgeLine } from "../../test/command-world.js"
import { defaultsAnd, rule } from "../../test/world.js"
import { modeRules } from "../rules/defaults/mode-rules.js"
import { proposeRule } from "../rules/propose.js"
import { sandboxFor } from "./sandbox-for.js"

const gitStatus = rule("flag", "allow", "bash(git status)")
const everything = [
  rule("flag", "allow", "*"),
  rule("flag", "allow", "bash"),
  rule("flag", "allow", "shell.run"),
  rule("flag", "allow", "fs.read"),
  rule("flag", "allow", "fs.write"),
]

describe("an allow for one command", () => {
  test.each([
    "git status && touch x",
    "git status $(touch x)",
    "git status; touch x",
    "git status > x",
    "GIT_SSH_COMMAND=./x git status",
    "git status | tee x",
    "git status & touch x",
    "git status || touch x",
    "git status\ntouch x",
    "git status $x",
    'git status "$x"',
    "git status *",
    "env X=1 git status",
    "env GIT_PAGER=x git status",
    "sudo git status",
    "./git status",
    "git status -s",
    "git -c a.b=c status",
    "git status < x",
    "xargs git status",
  ])("bash(git status) does not cover %j", async (line) => {
    expect((await judgeLine([gitStatus], line)).judgement.verdict).toBe("ask")
  })

  test.each([
    "git status",
    "git  status",
    "'git' \"status\"",
    "g\\it status",
    "git status # why",
    "timeout 5 git status",
    "command git status",
    "git status 2>&1",
    "git status 2>/dev/null",
    "(git status)",
    "echo `git status`",
    "git status; git status",
  ])("bash(git status) covers %j", async (line) => {
    expect((await judgeLine([gitStatus], line)).judgement.verdict).toBe("allow")
  })

  test("with assignments can be allowed as it is written", async () => {
    const rules = [rule("flag", "allow", "bash(NODE_ENV=test npm run x)")]
    expect((await judgeLine(rules, "NODE_ENV=test npm run x")).judgement.verdict).toBe("allow")
    expect((await judgeLine(rules, "NODE_ENV=prod npm run x")).judgement.verdict).toBe("ask")
    expect((await judgeLine(rules, "npm run x")).judgement.verdict).toBe("ask")
    expect((await judgeLine(rules, 'NODE_ENV="$(id)" npm run x')).judgement.verdict).toBe("ask")
  })

  test("behind a wrapper is allowed with the wrapper, but not with assignments in front of it", async () => {
    const rules = [rule("flag", "allow", "bash(timeout 3 npm run x)"), rule("flag", "allow", "bash(env A=1 npm run x)")]
    expect((await judgeLine(rules, "timeout 3 npm run x")).judgement.verdict).toBe("allow")
    expect((await judgeLine(rules, "env A=1 npm run x")).judgement.verdict).toBe("allow")
    for (const line of ["X=1 timeout 3 npm run x", "B=2 env A=1 npm run x", "env A=2 npm run x", "npm run x"]) {
      expect((await judgeLine(rules, line)).judgement.verdict, line).toBe("ask")
    }
  })

  test("and its redirection are settled each by its own rule", async () => {
    const rules = [rule("flag", "allow", "bash(npm test)")]
    expect((await judgeLine(rules, "npm test > out.log")).judgement.verdict).toBe("ask")
    expect(
      (await judgeLine([...rules, rule("flag", "allow", "fs.write(out.log)")], "npm test > out.log")).judgement.verdict,
    ).toBe("allow")
  })
})

describe("a deny", () => {
  const push = [rule("user", "deny", "bash(git push *)"), ...everything]

  test.each([
    "git push",
    "git push origin x",
    "X=1 git push",
    "git push > log",
    "git push $x",
    "timeout 5 git push",
    "env X=1 git push",
    "sudo git push",
    "bash -c 'git push'",
    "echo $(git push)",
    "/usr/bin/git push",
    "true && git push",
    "xargs git push",
    "find . -exec git push \\;",
    "f() { git push; }; f",
    "eval git push",
    "git -C . push",
    "git --no-pager -c a.b=c push origin",
    "X=1 timeout 3 git -C x push",
  ])("holds for %j", async (line) => {
    expect((await judgeLine(push, line)).judgement.verdict).toBe("deny")
  })

  test.each(["echo hi", "> x", "x=1", "[[ a ]]", "cat a", "echo $x", "{ ls; } > x"])(
    "of the whole tool holds for %j",
    async (line) => {
      expect((await judgeLine([...everything, rule("user", "deny", "bash")], line)).judgement.verdict).toBe("deny")
      expect((await judgeLine([rule("user", "deny", "shell.run")], line)).judgement.verdict).toBe("deny")
    },
  )

  test("of everything holds for a command that does nothing", async () => {
    expect((await judgeLine([rule("user", "deny", "*")], "echo hi")).judgement.verdict).toBe("deny")
    expect((await judgeLine([rule("user", "ask", "*")], "echo hi")).judgement.verdict).toBe("ask")
  })

  test("for a wrapper of the defaults holds, however it is called", async () => {
    for (const line of [
      "sudo ls",
      "sudo -u x ls",
      "timeout 5 sudo ls",
      "ls; sudo ls",
      "/usr/bin/sudo ls",
      "sh -c 'sudo ls'",
    ]) {
      expect((await judgeLine(defaultsAnd(rule("flag", "allow", "bash")), line)).judgement.verdict).toBe("deny")
    }
  })

  test.each([
    "cat .env",
    "head -1 < .env",
    "cp .env x; cat x",
    "bash -c 'cat .env'",
    "grep x < .env",
    "cp .env /tmp",
    'x=.env; cat "$x"',
    "cat src/../.env",
    "find . -name x -exec cat .env \\;",
  ])("of a file holds for %j", async (line) => {
    const rules = [...everything, rule("flag", "deny", "fs.read(**/.env)")]
    expect((await judgeLine(rules, line)).judgement.verdict).toBe("deny")
  })
})

describe("the defaults", () => {
  test.each([
    ["ls -la", "allow"],
    ["echo hi", "allow"],
    ["true", "allow"],
    ["pwd && whoami", "allow"],
    ["cd src && ls | head -3", "allow"],
    ["cat package.json | jq .name", "allow"],
    ["grep -rn foo src | sort | uniq -c", "allow"],
    ["git status && git log --oneline -5", "allow"],
    ["find . -name '*.ts' | wc -l", "allow"],
    ["for f in a b; do wc -l $f; done", "allow"],
    ["LC_ALL=C sort a", "allow"],
    ["node --version", "allow"],
    ["cat /etc/hosts", "ask"],
    ["cat ~/notes", "ask"],
    ["touch x", "ask"],
    ["rm x", "ask"],
    ["npm test", "ask"],
    ["python3 x.py", "ask"],
    ["curl https://x.test", "ask"],
    ["nonesuch", "ask"],
    ["cat .env", "deny"],
    ["cat ~/.ssh/id_rsa", "deny"],
    ["sudo ls", "deny"],
    ["crontab -e", "deny"],
  ] as const)("[C2-73] %j is %s", async (line, verdict) => {
    expect((await judgeLine(defaultsAnd(), line)).judgement.verdict).toBe(verdict)
  })

  test("in accept-edits settle the usual work and still ask before what is protected", async () => {
    const rules = defaultsAnd(...modeRules("accept-edits"))
    for (const line of [
      "touch src/x",
      "mkdir -p a/b",
      "rm -rf build",
      "npm test 2>&1 | tail -5",
      "npm test > out.log",
      "git add .",
    ]) {
      expect((await judgeLine(rules, line)).judgement.verdict, line).toBe("allow")
    }
    for (const line of [
      "cp x .git/hooks/pre-commit",
      "echo x >> .bashrc",
      "cp x .vscode",
      "touch ../x",
      "npm install",
    ]) {
      expect((await judgeLine(rules, line)).judgement.verdict, line).toBe("ask")
    }
  })
})

describe("commandParts", () => {
  test("a part is labelled by its text, and its redirections apart", async () => {
    const { parts } = await judgeLine([], "sort -o a b > c")
    expect(parts.map(({ label, effects }) => [label, effects.map((effect) => effect.kind)])).toEqual([
      ["sort -o a b > c", ["fs.read", "fs.write"]],
      ["the redirections of sort -o a b > c", ["fs.write"]],
    ])
  })

  test("an open ask names the command and offers the rule for it", async () => {
    const { judgement } = await judgeLine(defaultsAnd(), "npm test")
    expect(judgement.reason).toBe('no rule settles bash of "npm test"')
    expect(judgement.remedy).toEqual({ permission: "bash", pattern: "npm test", action: "allow" })
    const { judgement: unknown } = await judgeLine(defaultsAnd(), "python3 $x")
    expect(unknown.reason).toBe('no rule settles bash of "python3 $x"')
    expect(unknown.remedy).toBeUndefined()
  })

  test("of a line with several commands the rule for the open one is proposed", async () => {
    const { parts, judgement } = await judgeLine(defaultsAnd(), "cd src && echo hi && npm run x > /dev/null")
    expect(proposeRule("bash", parts, judgement)).toEqual({
      rule: { permission: "bash", pattern: "npm run x", action: "allow" },
      matches: "npm run x",
      differs: "npm run x more",
    })
  })

  test("a command that needs no rule says so", async () => {
    const { judgement } = await judgeLine([], "echo hi")
    expect(judgement).toMatchObject({
      verdict: "allow",
      reason: "it changes and reveals nothing, so no rule is needed",
    })
    expect(judgement.decided).toBeUndefined()
  })

  test("bundles of package managers are named and allowed like hosts", async () => {
    const rules = defaultsAnd(rule("flag", "allow", "bash(npm install *)"))
    expect((await judgeLine(rules, "npm install x")).judgement.verdict).toBe("ask")
    const granted = [...rules, rule("flag", "allow", "net.fetch(@npm)")]
    const { analysis, judgement } = await judgeLine(granted, "npm install x")
    expect(judgement.verdict).toBe("allow")
    expect(sandboxFor(analysis, judgement, "ask", { hosts: [] })).toMatchObject({
      profile: "workspace-write+net",
      hosts: ["@npm"],
    })
  })
})
