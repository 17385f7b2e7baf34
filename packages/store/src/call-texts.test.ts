import type { CallRecord } from "@haft/contract"
import { expect, test } from "vitest"
import { createCallTexts, rowToCall } from "./call-record.js"
import { createRedactor } from "./redact/create-redactor.js"

const secret = `ghp_${"a1B2".repeat(9)}`
const redact = createRedactor({ key: new Uint8Array(32).fill(1) })

const begun: CallRecord = {
  id: "prt_1",
  callId: "call_1",
  sessionId: "ses_1",
  tool: "bash",
  name: "bash",
  rawArguments: { command: "true" },
  arguments: { command: "true" },
  argumentsHash: "00",
  ladder: { verdict: "allow", reason: 'a rule with ,"effects":[] in it', rungs: [], findings: [] },
  effects: [],
  startedAt: 1,
  endedAt: null,
}
const metadata = { duration_ms: 1, call_id: "call_1", session_id: "ses_1" }
const settled: CallRecord = { ...begun, envelope: { type: "output", data: { text: "done" }, metadata }, endedAt: 2 }

test.each<[string, CallRecord, CallRecord]>([
  ["ends as it began", begun, settled],
  ["left effects and a state", begun, { ...settled, effects: [{ kind: "fs.write", path: "/x" }] as never, state: [1] }],
  ["was judged again meanwhile", begun, { ...settled, ladder: { ...begun.ladder, reason: "answered" } }],
  ["goes by another name in the end", begun, { ...settled, name: "Bash" }],
  ["began with effects", { ...begun, effects: [{ kind: "fs.read", path: "/x" }] as never }, settled],
])("the text of a call that %s holds the whole record, as if it had not been begun", (_, first, last) => {
  const texts = createCallTexts(redact)
  expect(rowToCall({ data_json: texts.begin(first) })).toEqual(first)
  const text = texts.settle(last)
  expect(rowToCall({ data_json: text })).toEqual(last)
  expect(JSON.stringify(JSON.parse(text))).toBe(text)
  expect(createCallTexts(redact).settle(last).length).toBe(text.length)
})

test.each<[string, CallRecord, CallRecord]>([
  ["arguments", { ...begun, rawArguments: { command: secret } }, { ...settled, rawArguments: { command: secret } }],
  ["output", begun, { ...settled, envelope: { type: "output", data: { text: secret }, metadata } }],
  ["state", begun, { ...settled, state: { password: "s3cr3t-p4ss" } }],
])("a secret in the %s of a begun call is hidden in its end", (_, first, last) => {
  const texts = createCallTexts(redact)
  expect(texts.begin(first)).not.toContain(secret)
  const text = texts.settle(last)
  expect(text).toContain("[secret:")
  expect(text).not.toContain(secret)
  expect(text).not.toContain("s3cr3t-p4ss")
})
