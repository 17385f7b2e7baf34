import { type CallPart, type PlacedRule, ruleScopes } from "@haft/contract"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { at, command, judgeWith, plainFacts, variables } from "../../test/world.js"
import { judgeFile } from "./judge.js"
import { compileRules } from "./rule-book.js"

const paths = ["a", "a/b", "a/b/.env", "a/c.md", ".env", "b/c.md", "b/a/x.ts"]
const fileKinds = ["fs.read", "fs.write", "fs.delete"] as const

const filePattern = fc.constantFrom(
  "a/**",
  "a/b/**",
  "**/.env",
  "**/*.md",
  "a/**/*.md",
  "a/b/.env",
  "*",
  "**/b/**",
  "b/*.md",
)
const commandPattern = fc.constantFrom("git *", "git push *", "git push x", "git status", "*")
const hostPattern = fc.constantFrom("x.test", "*.test", "x.test:443", "*")

const scope = fc.constantFrom(...ruleScopes)
const action = fc.constantFrom("allow", "deny", "ask")

const anyRule: fc.Arbitrary<PlacedRule> = fc
  .tuple(
    fc.oneof(
      fc.tuple(fc.constantFrom("read", "write", ...fileKinds, "*"), fc.option(filePattern, { nil: undefined })),
      fc.tuple(fc.constantFrom("bash", "shell.run"), fc.option(commandPattern, { nil: undefined })),
      fc.tuple(fc.constant("net.fetch"), fc.option(hostPattern, { nil: undefined })),
    ),
    action,
    scope,
    fc.record({ final: fc.boolean(), untrackedOnly: fc.boolean() }),
  )
  .map(([[permission, pattern], act, place, { final, untrackedOnly }]) => ({
    permission,
    ...(pattern === undefined ? {} : { pattern }),
    action: act as PlacedRule["action"],
    source: { scope: place },
    ...(final && act !== "allow" ? { final } : {}),
    ...(untrackedOnly && act === "deny" ? { untrackedOnly } : {}),
  }))

const effect = fc.oneof(
  fc.tuple(fc.constantFrom(...fileKinds), fc.constantFrom(...paths)).map(([kind, path]) => ({ kind, at: at(path) })),
  fc.constant({ kind: "net.fetch" as const, host: "x.test", port: 443 }),
)

const filePart: fc.Arbitrary<CallPart> = fc
  .tuple(fc.constantFrom("read", "write"), fc.constantFrom(...paths), fc.array(effect, { maxLength: 3 }), fc.boolean())
  .map(([tool, path, effects, opaque]) => ({
    label: tool,
    heads: [{ permission: tool, subject: { kind: "path", at: at(path) } }],
    effects,
    opaque,
  }))

const commandPart: fc.Arbitrary<CallPart> = fc
  .tuple(fc.constantFrom("git push x", "git status", "ls"), fc.array(effect, { maxLength: 2 }), fc.boolean())
  .map(([line, effects, opaque]) => command(line, { effects, opaque }))

const rules = fc.array(anyRule, { maxLength: 10 })
const call = fc.array(fc.oneof(filePart, commandPart), { minLength: 1, maxLength: 3 })
const strictness = { allow: 0, ask: 1, deny: 2 } as const

describe("over random rule sets", () => {
  test("[C2-57] the order of rules has no influence, on the verdict or on its explanation", () => {
    fc.assert(
      fc.property(
        rules.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
        call,
        ([list, shuffled], parts) => {
          expect(judgeWith(shuffled, parts)).toEqual(judgeWith(list, parts))
        },
      ),
      { numRuns: 500 },
    )
  })

  test("a rule on a tool never answers for an effect that a rule denies", () => {
    let denied = 0
    fc.assert(
      fc.property(rules, call, fc.constantFrom(...ruleScopes), (list, parts, place) => {
        const before = judgeWith(list, parts)
        if (!before.findings.some((finding) => finding.permission.includes(".") && finding.verdict === "deny")) return
        denied += 1
        const tools = ["read", "write", "bash"].map(
          (permission): PlacedRule => ({ permission, action: "allow", source: { scope: place } }),
        )
        const exact = paths.flatMap((path) =>
          ["read", "write"].map(
            (permission): PlacedRule => ({ permission, pattern: path, action: "allow", source: { scope: place } }),
          ),
        )
        const after = judgeWith([...list, ...tools, ...exact], parts)
        // Heads of commands carry the name shell.run, which these rules do not touch either.
        expect(after.verdict).toBe("deny")
      }),
      { numRuns: 500 },
    )
    expect(denied).toBeGreaterThan(50)
  })

  test("adding a deny never widens", () => {
    fc.assert(
      fc.property(rules, anyRule, call, (list, extra, parts) => {
        const before = strictness[judgeWith(list, parts).verdict]
        const after = strictness[judgeWith([...list, { ...extra, action: "deny" }], parts).verdict]
        expect(after).toBeGreaterThanOrEqual(before)
      }),
      { numRuns: 500 },
    )
  })

  test("adding an allow never narrows", () => {
    fc.assert(
      fc.property(rules, anyRule, call, (list, extra, parts) => {
        const { final: _, untrackedOnly: __, ...plain } = extra
        const before = strictness[judgeWith(list, parts).verdict]
        const after = strictness[judgeWith([...list, { ...plain, action: "allow" }], parts).verdict]
        expect(after).toBeLessThanOrEqual(before)
      }),
      { numRuns: 500 },
    )
  })

  test("[C2-58] a standing deny of the manifest survives every other rule", () => {
    let standing = 0
    fc.assert(
      fc.property(rules, anyRule, call, (list, extra, parts) => {
        const pinned: PlacedRule = { ...extra, action: "deny", source: { scope: "manifest" } }
        if (judgeWith([pinned], parts).verdict !== "deny") return
        standing += 1
        // Of a `deny *` the manifest's own allows and asks are the exceptions.
        const others = pinned.permission === "*" ? list.filter(({ source }) => source.scope !== "manifest") : list
        expect(judgeWith([...others, pinned], parts).verdict).toBe("deny")
      }),
      { numRuns: 1000 },
    )
    expect(standing).toBeGreaterThan(50)
  })

  test("the remedy turns the verdict into allow when it is added as a flag", () => {
    let found = 0
    fc.assert(
      fc.property(rules, call, (list, parts) => {
        const { remedy, verdict, final } = judgeWith(list, parts)
        if (!remedy) return
        found += 1
        expect(verdict).not.toBe("allow")
        expect(final).toBe(false)
        expect(judgeWith([...list, { ...remedy, source: { scope: "flag" } }], parts).verdict).toBe("allow")
      }),
      { numRuns: 500 },
    )
    expect(found).toBeGreaterThan(20)
  })

  test("the quick answer for a file is the answer for its effect", () => {
    fc.assert(
      fc.property(rules, fc.constantFrom(...fileKinds), fc.constantFrom(...paths), (list, kind, path) => {
        const located = at(path)
        const part: CallPart = { label: "x", heads: [], effects: [{ kind, at: located }], opaque: false }
        const quick = judgeFile(compileRules(list, variables), kind, located.resolved, plainFacts)
        expect(quick).toBe(judgeWith(list, [part]).findings[0]?.verdict)
      }),
      { numRuns: 500 },
    )
  })
})
