import { authorities } from "@haft/contract"
import { describe, expect, test } from "vitest"
import { at, command, defaultsAnd, fileCall, judgeWith, read, variables, write } from "../../../test/world.js"
import { formatRule } from "../rule.js"
import { compileRule } from "../rule-book.js"
import { defaultRules } from "./default-rules.js"
import { modeRules } from "./mode-rules.js"

const home = (path: string) => at(`/home/me/${path}`)

/** A path that each rule about files must decide. */
const fileSamples: Readonly<Record<string, string>> = {
  "{workspace}/**": "/home/me/app/src/a.ts",
  "{haft-home}/**": "/home/me/.local/share/haft/journal.db",
  "{haft-config}/**": "/home/me/.config/haft/config.jsonc",
  "{scratch}/**": `${variables.scratch[0]}/a/b`,
  "{sidecars}/**": `${variables.sidecars[0]}/call_1.txt`,
  "{tmp}/**": `${variables.tmp[0]}/a/b`,
}

function sampleFor(pattern: string): string {
  const known = fileSamples[pattern]
  if (known) return known
  const below = pattern.replace(/\/\*\*$/, "/some/file").replace(/\*/g, "x")
  if (pattern.startsWith("~/")) return `/home/me/${below.slice(2)}`
  return `/home/me/app/deep/${pattern
    .replace("**/", "")
    .replace(/\/\*\*$/, "/some/file")
    .replace(/\*/g, "x")}`
}

const fileRules = defaultRules().filter((rule) => rule.permission.startsWith("fs."))

describe("the default rules", () => {
  test("every one compiles, is once, and says where it comes from", () => {
    const rules = [...defaultRules(), ...modeRules("accept-edits")]
    for (const rule of rules) expect(compileRule(rule, variables).length).toBeGreaterThan(0)
    const texts = rules.map((rule) => `${rule.action} ${formatRule(rule)}`)
    expect(new Set(texts).size).toBe(texts.length)
    expect(rules.every((rule) => rule.source.scope === "defaults")).toBe(true)
  })

  test.each(fileRules.map((rule) => [`${rule.action} ${formatRule(rule)}`, rule] as const))(
    "%s decides its sample",
    (_name, rule) => {
      const kind = rule.permission as "fs.read" | "fs.write"
      const sample = sampleFor(rule.pattern!)
      const [, finding] = judgeWith(defaultRules(), fileCall("tool", kind, at(sample))).findings
      expect(finding?.verdict).toBe(rule.action)
    },
  )

  test("[C2-73] commands that act on the whole machine are denied, versions are allowed, the rest asks", () => {
    const verdict = (line: string) => judgeWith(defaultRules(), [command(line, { opaque: true })]).verdict
    for (const line of [
      "sudo ls",
      "su",
      "doas x",
      "mount /dev/sda /mnt",
      "systemctl stop x",
      "crontab -e",
      "reboot",
      "at now",
    ]) {
      expect(verdict(line)).toBe("deny")
    }
    for (const line of ["node --version", "git --version", "go version"]) expect(verdict(line)).toBe("allow")
    for (const line of ["node --version x", "rm -rf x", "npm install"]) expect(verdict(line)).toBe("ask")
  })

  test("[C2-73] a command whose effects are all reads of the workspace is allowed by them", () => {
    const part = command("cat a b", {
      effects: [
        { kind: "fs.read", at: at("a") },
        { kind: "fs.read", at: at("b") },
      ],
    })
    expect(judgeWith(defaultRules(), [part]).verdict).toBe("allow")
    expect(judgeWith(defaultRules(), [{ ...part, opaque: true }]).verdict).toBe("ask")
  })

  test.each(["todo", "question", "skill", "tool_search", "calculator", "sleep", "plan_exit", "index_search"])(
    "the tool %s is allowed",
    (tool) => {
      const heads = [{ permission: tool, subject: { kind: "arguments", values: {} } }] as const
      expect(judgeWith(defaultRules(), [{ label: tool, heads, effects: [], opaque: false }]).verdict).toBe("allow")
    },
  )

  test("secrets have the authority of the user and keep no copies", () => {
    const secrets = defaultRules().filter((rule) => rule.secret)
    expect(secrets.length).toBeGreaterThan(25)
    expect(secrets.every((rule) => rule.action === "deny" && rule.authority === authorities.user)).toBe(true)
  })

  test("every protected name asks finally, also for a file that does not exist", () => {
    const missing = { ...at(".git/hooks/pre-commit"), kind: "missing" } as const
    expect(judgeWith(defaultRules(), write(missing))).toMatchObject({ verdict: "ask", final: true, written: true })
    const asks = defaultRules().filter((rule) => rule.action === "ask")
    expect(asks.every((rule) => rule.final)).toBe(true)
  })

  test("scratch and sidecars stay readable below the state of Haft, the rest of it does not", () => {
    expect(judgeWith(defaultRules(), read(at(`${variables.sidecars[0]}/x`))).verdict).toBe("allow")
    expect(judgeWith(defaultRules(), write(at(`${variables.scratch[0]}/x`))).verdict).toBe("allow")
    expect(judgeWith(defaultRules(), write(at(`${variables.sidecars[0]}/x`))).verdict).toBe("deny")
    expect(judgeWith(defaultRules(), read(home(".local/share/haft/sessions/s2/sidecars/x"))).verdict).toBe("deny")
  })

  test("ordinary work is not protected", () => {
    for (const path of [
      "package.json",
      "package-lock.json",
      "Makefile",
      "src/.gitignore",
      ".github/workflows/ci.yml",
    ]) {
      expect(judgeWith(defaultRules(), write(path))).toMatchObject({ verdict: "ask", written: false, final: false })
      expect(judgeWith(defaultsAnd(...modeRules("accept-edits")), write(path)).verdict).toBe("allow")
    }
  })
})

describe("the rules of modes", () => {
  test("only accept-edits adds some", () => {
    expect(modeRules("ask")).toEqual([])
    expect(modeRules("plan")).toEqual([])
    expect(modeRules("auto")).toEqual([])
  })

  const accepting = defaultsAnd(...modeRules("accept-edits"))

  test("accept-edits settles edits in the workspace and the usual checks, nothing more", () => {
    expect(judgeWith(accepting, write("src/a.ts")).verdict).toBe("allow")
    expect(judgeWith(accepting, fileCall("rm", "fs.delete", "src/a.ts")).verdict).toBe("allow")
    expect(judgeWith(accepting, [command("npm run test -- x", { opaque: true })]).verdict).toBe("allow")
    expect(judgeWith(accepting, [command("npm run deploy", { opaque: true })]).verdict).toBe("ask")
    expect(judgeWith(accepting, [command("make test all", { opaque: true })]).verdict).toBe("ask")
    expect(judgeWith(accepting, write(at("/home/me/other/a.ts"))).verdict).toBe("ask")
  })

  test("accept-edits leaves protected names asking and secrets denied", () => {
    for (const name of [".git/commondir", "sub/.git/commondir", ".git/worktrees/x/commondir"])
      expect(judgeWith(accepting, write(name)), name).toMatchObject({ verdict: "ask", final: true })
    expect(judgeWith(accepting, write(".git/hooks/pre-commit"))).toMatchObject({ verdict: "ask", final: true })
    expect(judgeWith(accepting, write(".VSCode/settings.json"))).toMatchObject({ verdict: "ask", final: true })
    expect(judgeWith(accepting, read(".env")).verdict).toBe("deny")
  })
})
