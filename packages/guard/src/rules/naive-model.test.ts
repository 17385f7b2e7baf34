import { type CallPart, type Effect, type PlacedRule, type RuleScope, type RunsMore, ruleScopes } from "@haft/contract"
import fc from "fast-check"
import { expect, test } from "vitest"
import { naiveVerdict, type Step, steps } from "../../test/naive-rules.js"
import { at, command, variables } from "../../test/world.js"
import { evaluate } from "./evaluate.js"
import { compileRules, type Facts } from "./rule-book.js"

const rounds = 100_000
// Ten seconds on a quiet machine.
const timeout = 240_000

test(`the evaluation agrees with a naive reading of the design on ${rounds} random rule sets`, { timeout }, () => {
  const reached = new Map<Step, number>(steps.map((step) => [step, 0]))
  const count = (step: Step) => void reached.set(step, reached.get(step)! + 1)
  const random = randomFrom(fc.readConfigureGlobal()?.seed ?? Date.now())
  for (let round = 0; round < rounds; round++) {
    const parts = randomCall(random)
    const sample: Sample = { rules: randomRules(random, parts), parts }
    const expected = naiveVerdict({ ...sample, facts, reach: count })
    if (realVerdict(sample) !== expected) {
      const least = shrink(sample)
      expect(realVerdict(least), `round ${round}: ${JSON.stringify(least)}`).toBe(naiveOf(least))
    }
  }
  // A step that few samples take is not tested, whatever the number of rounds.
  const rare = [...reached].filter(([, times]) => times < rounds / 2000)
  expect(rare.map(String)).toEqual([])
})

interface Sample {
  readonly rules: readonly PlacedRule[]
  readonly parts: readonly CallPart[]
}

const facts: Facts = { isTracked: (path) => path.endsWith("c.md") }

function realVerdict({ rules, parts }: Sample): string {
  return evaluate(compileRules(rules, variables), { parts, facts }).verdict
}

function naiveOf(sample: Sample): string {
  return naiveVerdict({ ...sample, facts, reach: () => {} })
}

/** Leaves out rules and parts as long as both sides still disagree. */
function shrink(sample: Sample): Sample {
  const without = <Item>(list: readonly Item[], at: number) => list.filter((_, index) => index !== at)
  const smaller = [
    ...sample.rules.map((_, index) => ({ ...sample, rules: without(sample.rules, index) })),
    ...sample.parts.map((_, index) => ({ ...sample, parts: without(sample.parts, index) })),
  ].find((each) => each.parts.length > 0 && realVerdict(each) !== naiveOf(each))
  return smaller ? shrink(smaller) : sample
}

type Random = (below: number) => number

/** Whole numbers from one seed (mulberry32): a hundred thousand samples of fast-check would take minutes. */
function randomFrom(seed: number): Random {
  let state = seed | 0
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

function pick<Item>(random: Random, list: readonly Item[]): Item {
  return list[random(list.length)]!
}

const paths = [
  at("a"),
  at("a/b"),
  at("a/b/.env"),
  at("a/c.md"),
  at(".env"),
  at("b/c.md"),
  at("b/a/x.ts"),
  at("A/B/.Env"),
  at("a/link", "/home/me/app/b/c.md"),
  at("b/.env", "/srv/data/real"),
  at("/srv/data/real"),
]
const lines = ["git push x", "git status", "/usr/bin/git push x", "ls", "rm a/b", "rm -rf a", "timeout git push x"]
const hosts = [
  { host: "x.test", port: 443, method: "GET" },
  { host: "a.x.test", port: 8080, method: "POST" },
  { host: "X.test" },
]
const values = [{}, { name: "one" }, { name: ["one", "two"] }]

const pathPatterns =
  "a/** a/b/** **/.env **/.env* **/*.md a/**/*.md a/b/.env **/b/** b/*.md ~/app/a/** /srv/** /srv/data/real A/c.md **/c.md b/**/x.ts".split(
    " ",
  )
const commandPatterns = [
  "git *",
  "git push *",
  "git push x",
  "git status",
  "g?t status",
  "rm *",
  "rm a/b",
  "rm a/*",
  "/usr/bin/git *",
  "timeout *",
  "timeout git *",
  "timeout git push x",
]
const hostPatterns = [
  "x.test",
  "*.test",
  "*.x.test",
  "x.test:443",
  "a.x.test",
  "*.x.test:8080",
  "GET x.test",
  "POST *.test",
  "GET x.test:443",
]
const argumentPatterns = ["name=one", "name=*", "name=o*"]

const patternsOf: Readonly<Record<string, readonly string[]>> = {
  "fs.read": pathPatterns,
  "fs.write": pathPatterns,
  "fs.delete": pathPatterns,
  read: pathPatterns,
  write: pathPatterns,
  "*": pathPatterns,
  bash: commandPatterns,
  "shell.run": commandPatterns,
  "net.fetch": hostPatterns,
  web_fetch: hostPatterns,
  custom: argumentPatterns,
}

function randomRules(random: Random, parts: readonly CallPart[]): readonly PlacedRule[] {
  const asked = parts.flatMap(({ heads, effects }) => [
    ...heads.map(({ permission }) => permission),
    ...effects.map(({ kind }) => kind),
  ])
  // Often few scopes, so that rules of the same one meet.
  const scopes = random(2) === 0 ? ruleScopes : [pick(random, ruleScopes), pick(random, ruleScopes)]
  const rules = Array.from({ length: 1 + random(9) }, () => place(random, scopes, randomRule(random, asked)))
  const universals = Math.max(0, random(5) - 2)
  return [...rules, ...Array.from({ length: universals }, () => place(random, scopes, universal(random)))]
}

type Unplaced = Omit<PlacedRule, "source">

function universal(random: Random): Unplaced {
  const rule = { permission: "*", ...(random(4) === 0 ? { pattern: "**" } : {}) }
  return { ...rule, action: pick(random, ["deny", "deny", "deny", "ask", "allow"]) }
}

/** Mostly about what the call asks for, so that rules really meet. */
function randomRule(random: Random, asked: readonly string[]): Unplaced {
  const permission = random(4) === 0 ? pick(random, Object.keys(patternsOf)) : pick(random, asked)
  const patterns = patternsOf[permission]!
  const pattern = permission === "*" || random(4) > 0 ? pick(random, patterns) : undefined
  const action = pick(random, ["allow", "allow", "ask", "deny"] as const)
  return { permission, ...(pattern === undefined ? {} : { pattern }), action }
}

function place(random: Random, scopes: readonly RuleScope[], rule: Unplaced): PlacedRule {
  const strict = rule.action !== "allow"
  return {
    ...rule,
    source: { scope: pick(random, scopes) },
    // Asks of folders that nobody trusts, the default secrets, and allows of a manifest that came from a folder.
    ...(random(6) === 0 ? { authority: pick(random, [-1, 1, 3]) } : {}),
    ...(strict && random(12) === 0 ? { final: true } : {}),
    ...(rule.action === "deny" && random(8) === 0 ? { untrackedOnly: true } : {}),
  }
}

function randomCall(random: Random): readonly CallPart[] {
  return Array.from({ length: random(4) === 0 ? 2 : 1 }, () => randomPart(random))
}

function randomPart(random: Random): CallPart {
  const effects = Array.from({ length: random(4) }, () => randomEffect(random))
  const opaque = random(3) === 0
  switch (random(8)) {
    case 0:
    case 1: {
      const tool = pick(random, ["read", "write"])
      const subject = { kind: "path", at: pick(random, paths) } as const
      return { label: tool, heads: [{ permission: tool, subject }], effects, opaque }
    }
    case 2: {
      const subject = { kind: "host", ...pick(random, hosts) } as const
      return { label: "web_fetch", heads: [{ permission: "web_fetch", subject }], effects, opaque }
    }
    case 3: {
      const subject = { kind: "arguments", values: pick(random, values) } as const
      return { label: "custom", heads: [{ permission: "custom", subject }], effects, opaque }
    }
    default: {
      const line = pick(random, lines)
      const runs = pick(random, [
        undefined,
        undefined,
        { what: "anything" },
        { what: "code", text: 'run("git", "push")' },
      ])
      const part = wrapped(line, { effects, opaque: opaque || runs !== undefined })
      return runs === undefined ? part : { ...part, runs: runs as RunsMore }
    }
  }
}

/** A command; behind a wrapper its program is at the second place. */
function wrapped(line: string, more: Partial<CallPart>): CallPart {
  const part = command(line, more)
  if (!line.startsWith("timeout")) return part
  const heads = part.heads.map((head) => ({ ...head, subject: { ...head.subject, program: 1 } }))
  return { ...part, heads: heads as CallPart["heads"] }
}

function randomEffect(random: Random): Effect {
  if (random(3) === 0) return { kind: "net.fetch", ...pick(random, hosts) }
  return { kind: pick(random, ["fs.read", "fs.write", "fs.delete"]), at: pick(random, paths) }
}
