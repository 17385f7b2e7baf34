import type { Action } from "@haft/contract"
import fc from "fast-check"
import { expect, test } from "vitest"
import { callWorld, rule, type WorldOptions } from "../../../test/call-world.js"
import { evaluate } from "./evaluate.js"

const detector = (verdict: "deny" | "ask" | "allow") => ({
  id: "d",
  about: "a test",
  inspect: () =>
    verdict === "allow" ? ({ verdict } as const) : ({ verdict, reason: `${verdict} of the detector` } as const),
})
const somebody = { ask: async () => ({ answer: "once" }), question: async () => [] } as never
const rungsOf = async (options: WorldOptions, path?: string, more = {}) => {
  const { ladder } = await evaluate(callWorld(options).request(path, more))
  return [ladder.verdict, ...ladder.rungs.map(({ rung, verdict }) => `${rung} ${verdict}`)]
}

test("each rung that denies is the last one", async () => {
  const allow = rule("flag", "allow", "save")
  expect(await rungsOf({ rules: [allow] }, "/etc/passwd")).toEqual(["deny", "schema pass", "capability deny"])
  expect(await rungsOf({ rules: [allow, rule("manifest", "deny", "fs.write(a.txt)")] })).toEqual([
    "deny",
    "schema pass",
    "capability pass",
    "manifest deny",
  ])
  expect(await rungsOf({ rules: [rule("user", "deny", "save")] })).toEqual([
    "deny",
    "schema pass",
    "capability pass",
    "manifest pass",
    "rules deny",
  ])
  expect(await rungsOf({ rules: [allow], detectors: [detector("deny")] })).toEqual([
    "deny",
    "schema pass",
    "capability pass",
    "manifest pass",
    "rules allow",
    "watchdog deny",
  ])
})

test("an allow ends at the mode; an ask goes to the person, or is a deny where nobody is", async () => {
  const below = ["schema pass", "capability pass", "manifest pass"]
  expect(await rungsOf({ rules: [rule("flag", "allow", "save")] })).toEqual([
    "allow",
    ...below,
    "rules allow",
    "watchdog pass",
    "mode allow",
  ])
  expect(await rungsOf({ person: somebody })).toEqual([
    "ask",
    ...below,
    "rules ask",
    "watchdog pass",
    "mode ask",
    "person ask",
  ])
  expect(await rungsOf({})).toEqual(["deny", ...below, "rules ask", "watchdog pass", "mode ask", "person deny"])
  expect(await rungsOf({ person: somebody }, "a.txt", { approved: true })).toEqual([
    "allow",
    ...below,
    "rules ask",
    "watchdog pass",
    "mode ask",
    "person allow",
  ])
})

test("no rule is offered for what the watchdog asks about", async () => {
  const offered = async (options: WorldOptions) =>
    (await evaluate(callWorld({ person: somebody, ...options }).request())).ladder.remedy
  expect(await offered({})).toEqual({ permission: "fs.write", pattern: "a.txt", action: "allow" })
  expect(await offered({ detectors: [detector("ask")] })).toBeUndefined()
})

test("nothing below a rung loosens it, whatever the rules, the detectors and the answer are", async () => {
  const actions = fc.constantFrom<Action>("allow", "ask", "deny")
  const texts = fc.constantFrom("save", "fs.write", "fs.write(a.txt)", "*")
  const scopes = fc.constantFrom("manifest", "user", "flag", "managed" as const)
  let denied = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(scopes, actions, texts), { maxLength: 4 }),
      fc.constantFrom("deny", "ask", "allow" as const),
      fc.constantFrom("ask", "auto", "plan" as const),
      fc.boolean(),
      async (rules, watchdog, mode, approved) => {
        const placed = rules.map(([scope, action, text]) => rule(scope as never, action, text))
        const options = { rules: placed, detectors: [detector(watchdog as never)], mode, person: somebody }
        const { ladder } = await evaluate(callWorld(options as never).request("a.txt", { approved }))
        const verdicts = ladder.rungs.map(({ verdict }) => verdict)
        if (verdicts.includes("deny")) {
          denied += 1
          expect(ladder.verdict).toBe("deny")
          expect(verdicts.indexOf("deny")).toBe(verdicts.length - 1)
        }
        if (verdicts.includes("ask") && !approved && mode !== "auto") expect(ladder.verdict).not.toBe("allow")
        const byWatchdog = ladder.rungs.find(({ rung }) => rung === "watchdog")
        if (byWatchdog?.verdict === "ask" && !approved) expect(ladder.verdict).toBe("ask")
      },
    ),
    { numRuns: 150 },
  )
  expect(denied).toBeGreaterThan(20)
})
