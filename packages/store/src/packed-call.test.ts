import { type CallRecord, type Ladder, ruleScopes, rungNames } from "@haft/contract"
import fc from "fast-check"
import { expect, test } from "vitest"
import { packCall, unpackCall } from "./packed-call.js"

const verdicts = ["pass", "allow", "deny", "ask", "skipped"] as const
// Words that have a number, texts that look like one, and any other.
const text = fc.oneof(fc.constantFrom("the arguments fit", "flag", "0", "7", ""), fc.string())
const number = fc.double({ noNaN: true, noDefaultInfinity: true })
const rule = fc.record(
  {
    permission: text,
    action: fc.constantFrom("allow" as const, "deny" as const, "ask" as const),
    source: fc.record({ scope: fc.constantFrom(...ruleScopes) }),
    pattern: text,
  },
  { requiredKeys: ["permission", "action", "source"] },
)
const beaten = fc.record({ text, specificity: number, authority: number, source: text, because: text })
const decided = fc.record({ rule, text, specificity: number, authority: number, source: text, final: fc.boolean() })
const rung = fc.record(
  {
    rung: fc.constantFrom(...rungNames),
    verdict: fc.constantFrom(...verdicts),
    reason: text,
    rule: text,
    source: text,
    ms: number,
  },
  { requiredKeys: ["rung", "verdict", "reason", "ms"] },
)
const finding = fc.record(
  {
    permission: text,
    subject: text,
    verdict: fc.constantFrom("allow" as const, "deny" as const, "ask" as const, "silent" as const),
    decided,
    beaten: fc.array(beaten, { maxLength: 3 }),
  },
  { requiredKeys: ["permission", "subject", "verdict", "beaten"] },
)
const ladder: fc.Arbitrary<Ladder> = fc.record(
  {
    verdict: fc.constantFrom("allow" as const, "deny" as const, "ask" as const),
    reason: text,
    rungs: fc.array(rung, { maxLength: 4 }),
    findings: fc.array(finding, { maxLength: 3 }),
    remedy: rule,
    flag: text,
  },
  { requiredKeys: ["verdict", "reason", "rungs", "findings"] },
)

function callWith(ladder: Ladder, ids = { call_id: "call_1", session_id: "ses_1" }): CallRecord {
  return {
    id: "prt_1",
    callId: "call_1",
    sessionId: "ses_1",
    tool: "ls",
    name: "ls",
    rawArguments: {},
    arguments: {},
    argumentsHash: "00",
    ladder,
    effects: [],
    envelope: { type: "output", data: 1, metadata: { duration_ms: 1, ...ids, truncated: true } },
    startedAt: 1,
    endedAt: 2,
  }
}

const reread = (record: CallRecord) => unpackCall(JSON.parse(JSON.stringify(packCall(record))))

test("a call is the same after it was kept", () => {
  fc.assert(
    fc.property(ladder, (ladder) => {
      const record = JSON.parse(JSON.stringify(callWith(ladder))) as CallRecord
      expect(reread(record)).toEqual(record)
      expect(JSON.stringify(reread(record).envelope)).toBe(JSON.stringify(record.envelope))
    }),
  )
})

test("an envelope of another call keeps its ids", () => {
  const record = callWith(plain, { call_id: "call_2", session_id: "ses_1" })
  expect(reread(record)).toEqual(record)
})

test("a record of an earlier version is read as it is", () => {
  expect(unpackCall(callWith(plain))).toEqual(callWith(plain))
})

test("the numbers of words never change: records that were kept have them", () => {
  const stored = [
    1,
    31,
    [
      [6, 0, 27, 0.5],
      [9, 1, "x allows it", 0, "x", 20],
    ],
    [["x", 26, 1, null, ["x", 0, 0, 15, "y"]]],
  ]
  expect(unpackCall({ ...callWith(plain), ladder: stored } as never).ladder).toEqual({
    verdict: "allow",
    reason: "the rules allow it",
    rungs: [
      { rung: "schema", verdict: "pass", reason: "the arguments fit", ms: 0.5 },
      { rung: "rules", verdict: "allow", reason: "x allows it", rule: "x", source: "flag", ms: 0 },
    ],
    findings: [
      {
        permission: "x",
        subject: "its arguments",
        verdict: "allow",
        beaten: [{ text: "x", specificity: 0, authority: 0, source: "defaults", because: "y" }],
      },
    ],
  })
})

test("an imported ladder of any shape is read without an error", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (stored) => {
      const { ladder } = unpackCall({ ...callWith(plain), ladder: stored } as never)
      expect(Array.isArray(ladder.rungs) && Array.isArray(ladder.findings)).toBe(true)
    }),
  )
})

const plain: Ladder = { verdict: "allow", reason: "the rules allow it", rungs: [], findings: [] }
