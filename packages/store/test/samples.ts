import type { CallRecord, Ladder, SessionRecord } from "@haft/contract"
import { createId } from "../src/create-id.js"
import { createRedactor } from "../src/redact/create-redactor.js"

/** A redactor with a fixed key and one known secret. */
export const sampleRedactor = createRedactor({
  key: new Uint8Array(32).fill(7),
  known: [{ name: "DEPLOY_KEY", value: 'correct horse "battery" staple' }],
})

/** A session as the library would open it. */
export function sampleSession(changes: Partial<SessionRecord> = {}): SessionRecord {
  const now = Date.now()
  return {
    id: createId("ses"),
    agent: "direct",
    workspaceRoot: "/work/a",
    roots: ["/work/a"],
    directory: "/work/a",
    permissions: [],
    createdAt: now,
    updatedAt: now,
    archivedAt: null,
    metadata: {},
    ...changes,
  }
}

/** A call of `write` that ended well. */
export function sampleCall(sessionId: string, changes: Partial<CallRecord> = {}): CallRecord {
  const callId = changes.callId ?? createId("call")
  const now = Date.now()
  return {
    id: createId("prt"),
    callId,
    sessionId,
    tool: "write",
    name: "Write",
    rawArguments: { path: "a.ts", text: "x" },
    arguments: { file_path: "a.ts", content: "x" },
    argumentsHash: "0".repeat(64),
    ladder: sampleLadder,
    effects: [],
    envelope: {
      type: "output",
      data: { bytes_written: 1 },
      metadata: { duration_ms: 1, call_id: callId, session_id: sessionId },
    },
    startedAt: now,
    endedAt: now + 1,
    ...changes,
  }
}

/** The same call before it has ended. */
export function openCall(call: CallRecord): CallRecord {
  const { envelope: _envelope, ...open } = call
  return { ...open, effects: [], endedAt: null }
}

const sampleLadder: Ladder = {
  verdict: "allow",
  reason: "a rule allows it",
  rungs: [
    { rung: "rules", verdict: "allow", reason: "a rule allows it", rule: "fs.write(**)", source: "flag", ms: 0.02 },
  ],
  findings: [{ permission: "fs.write", subject: "/work/a/a.ts", verdict: "allow", beaten: [] }],
}
