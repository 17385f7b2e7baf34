import type { CallPart, PlacedRule } from "@haft/contract"
import { describe, expect, test } from "vitest"
import { at, command, defaultsAnd, judgeWith, plainFacts, read, rule, variables, write } from "../../test/world.js"
import { judge } from "./judge.js"
import { proposeRule } from "./propose.js"
import { flagFor } from "./rule.js"
import { compileRules } from "./rule-book.js"

function flag(parts: readonly CallPart[], ...rules: readonly PlacedRule[]): string | undefined {
  const { remedy } = judgeWith(defaultsAnd(...rules), parts)
  return remedy && flagFor(remedy)
}

const patch = (...paths: string[]): readonly CallPart[] => [
  {
    label: "patch",
    heads: [{ permission: "patch", subject: { kind: "path", at: at(paths[0]!) } }],
    effects: paths.map((path) => ({ kind: "fs.write", at: at(path) })),
    opaque: false,
  },
]

describe("the remedy", () => {
  test("names the effect and the one file", () => {
    expect(flag(write("x.ts"))).toBe("--allow 'fs.write(x.ts)'")
    expect(flag(write("src/deep/x.ts"))).toBe("--allow 'fs.write(src/deep/x.ts)'")
    expect(flag(write(at("/srv/x")))).toBe("--allow 'fs.write(/srv/x)'")
  })

  test("lifts a secret by its exact name", () => {
    expect(flag(read("test/.env"))).toBe("--allow 'fs.read(test/.env)'")
  })

  test("for several files names their folder, or else the tool", () => {
    expect(flag(patch("src/a", "src/deep/b"))).toBe("--allow 'fs.write(src/**)'")
    expect(flag(patch("src/a", "lib/b"))).toBe("--allow 'patch(src/a)'")
  })

  test("passes a deny of everything by a rule about the effect, where a flag is strong enough", () => {
    expect(flag(read("src/a.ts"), rule("user", "deny", "*"))).toBe("--allow 'fs.read(src/a.ts)'")
    expect(flag(read("src/a.ts"), rule("manifest", "deny", "*"))).toBeUndefined()
  })

  test("names hosts and commands", () => {
    const fetch = { effects: [{ kind: "net.fetch", host: "x.test", port: 443 }] } as const
    expect(flag([command("curl x", fetch)], rule("user", "allow", "bash(curl *)"))).toBe("--allow 'net.fetch(x.test)'")
    expect(flag([command("npm run 'a b'", { opaque: true })])).toBe(`--allow 'bash(npm run '\\''a b'\\'')'`)
  })

  test("a command that writes a file and asks a host takes a rule for each", () => {
    const effects = [
      { kind: "fs.write", at: at("x") },
      { kind: "net.fetch", host: "x.test", port: 443 },
    ] as const
    const { remedies = [] } = judgeWith(defaultsAnd(), [command("wget x.test/x", { effects })])
    expect(remedies.map(flagFor)).toEqual(["--allow 'fs.write(x)'", "--allow 'net.fetch(x.test)'"])
  })

  test.each([
    ["a final ask", write(".git/config"), []],
    ["a rule of the manifest", write("a"), [rule("manifest", "deny", "fs.write(a)")]],
    ["a deny that is exact itself", write("a"), [rule("user", "deny", "fs.write(a)")]],
    ["a name that reads as a wildcard", write("*"), []],
    ["two commands that nothing settles", [command("a"), command("b")], []],
  ] as const)("there is none for %s", (_name, parts, rules) => {
    expect(flag(parts, ...rules)).toBeUndefined()
  })

  test("with several roots the path is written in full", () => {
    const book = compileRules([], { ...variables, workspace: ["/home/me/app", "/srv/lib"] })
    expect(judge(book, write("x.ts"), plainFacts).remedy?.pattern).toBe("/home/me/app/x.ts")
  })

  test.each(["{x}/a", "~a", "~/a", "@a", "a)b(", "it's", "[id].tsx", "a b.ts"])(
    "a file named %j is named exactly",
    (name) => {
      const { remedy } = judgeWith(defaultsAnd(), write(name))
      const rules = defaultsAnd({ ...remedy!, source: { scope: "flag" } })
      expect(judgeWith(rules, write(name)).verdict).toBe("allow")
      expect(judgeWith(rules, write("other")).verdict).toBe("ask")
    },
  )
})

test("a call of many parts that nothing settles is judged in a time that grows with their number", () => {
  const cpuOf = (count: number) => {
    const parts = Array.from({ length: count }, (_, index) => command(`program-${index}`, { opaque: true }))
    const book = compileRules(defaultsAnd(), variables)
    const times = Array.from({ length: 3 }, () => {
      const before = process.cpuUsage()
      judge(book, parts, plainFacts)
      return process.cpuUsage(before).user / 1000
    })
    return Math.min(...times)
  }
  cpuOf(50)
  // Eight times as many are eight times the work; the square would be sixty-four times.
  const [few, many] = [cpuOf(50), cpuOf(400)]
  expect(many < 20 || many < 30 * few, `${few} ms, then ${many} ms`).toBe(true)
})

describe("[C2-59] the proposal", () => {
  const propose = (parts: readonly CallPart[], ...rules: readonly PlacedRule[]) =>
    proposeRule(parts[0]!.label, parts, judgeWith(defaultsAnd(...rules), parts))

  test("is the folder of the file, with a sample on either side", () => {
    expect(propose(write("src/gen/a.ts"))).toEqual({
      rule: { permission: "fs.write", pattern: "src/gen/**", action: "allow" },
      matches: "src/gen/a.ts",
      differs: "src/a.ts",
    })
  })

  test("is the file alone at the top of the workspace and outside of it", () => {
    expect(propose(write("x.ts"))?.rule.pattern).toBe("x.ts")
    expect(propose(write(at("/srv/a/x.ts")))?.rule.pattern).toBe("/srv/a/x.ts")
  })

  test("is the file alone where a rule says to ask", () => {
    expect(propose(write("src/a.ts"), rule("user", "ask", "fs.write(src/**)"))?.rule.pattern).toBe("src/a.ts")
  })

  test("settles the call once it is saved for the session, and its samples hold", () => {
    for (const parts of [write("src/gen/a.ts"), write("x.ts"), patch("src/a", "src/b/c"), patch("src/a", "lib/b")]) {
      const { rule: saved, matches, differs } = propose(parts)!
      const rules = defaultsAnd({ ...saved, source: { scope: "session" } })
      expect(judgeWith(rules, parts).verdict).toBe("allow")
      const tool = saved.permission === "patch" ? patch : write
      expect(judgeWith(rules, tool(matches)).verdict).toBe("allow")
      expect(judgeWith(rules, tool(differs)).verdict).toBe("ask")
    }
  })

  test.each([
    "python3 -c x y",
    "node a b",
    "bash -c x y",
    "sh -c ls x",
    "env X=1 y",
    "timeout 3 ls x",
    "xargs rm x",
    "npx tool x",
    "npm run x y",
    "uvx tool x",
    "curl -s x",
    "ssh host ls",
    "docker run x y",
    "make all x",
    "find . -exec",
    "git -c x=y status",
    "git submodule foreach x",
    "go test -exec x",
    "cargo build --config x",
  ])("is never open after a program that runs others: %s", (line) => {
    const proposal = propose([command(line, { opaque: true })])
    expect(proposal?.rule.pattern).toBe(line)
  })

  test("is open after a subcommand that takes any words", () => {
    expect(propose([command("git commit -m x", { opaque: true })])).toEqual({
      rule: { permission: "bash", pattern: "git commit *", action: "allow" },
      matches: "git commit -m x",
      differs: "git other",
    })
  })

  test("is absent for a final ask and for a deny", () => {
    expect(propose(write(".vscode/tasks.json"))).toBeUndefined()
    expect(propose(read(".env"))).toBeUndefined()
  })

  test("is the tool itself where no argument stands out", () => {
    const heads = [{ permission: "custom", subject: { kind: "arguments", values: { a: 1 } } }] as const
    expect(propose([{ label: "custom", heads, effects: [], opaque: false }])?.rule).toEqual({
      permission: "custom",
      action: "allow",
    })
  })
})
