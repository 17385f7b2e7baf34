import type { SessionEvent } from "@haft/contract"
import { expect, test } from "vitest"
import { CallUpdates } from "./call-updates.js"

const base = { session: "s", seq: 1, at: 0 }
const words = { title: "Write file", loading: "", done: "" }
const write = { messages: { en: words }, manifest: { kind: "edit", input: { safeParse: () => ({ success: false }) } } }

function updates(): CallUpdates {
  const session = { directory: "/work", registry: { find: () => write } }
  const open = () => ({ agent: { id: "s", session } }) as never
  return new CallUpdates({
    client: {} as never,
    capabilities: {},
    session: open,
    viewer: undefined,
    send: () => undefined,
  })
}

function started(call: string, turn: string): Extract<SessionEvent, { type: "tool-input-start" }> {
  return { type: "tool-input-start", turn, step: 1, call, tool: "write", ...base }
}

test("what was begun to be written and never came has failed when its own turn ends", () => {
  const calls = updates()
  expect(calls.writing(started("call_1", "one"))).toMatchObject({ toolCallId: "call_1", title: "Write file" })
  calls.writing(started("call_2", "one"))
  calls.writing(started("call_3", "two"))
  const came = { type: "tool-call" as const, call: "call_2", tool: "write", arguments: { file_path: "a" }, ...base }
  expect(calls.begun(came)).toMatchObject({ isNew: false, call: { title: "Write file a", status: "pending" } })
  expect(calls.dropUnfinished("one")).toEqual([{ toolCallId: "call_1", status: "failed" }])
  expect(calls.dropUnfinished("one")).toEqual([])
  expect(calls.dropUnfinished("two")).toEqual([{ toolCallId: "call_3", status: "failed" }])
})

test("a reply that is begun again writes the same call anew, and the editor hears of it once", () => {
  const calls = updates()
  calls.writing(started("call_1", "one"))
  expect(calls.wrote("call_1", '{"file_path":"first')).toEqual({ toolCallId: "call_1", title: "Write file first" })
  expect(calls.writing(started("call_1", "one"))).toBeUndefined()
  expect(calls.wrote("call_1", '{"file_path":"second')).toEqual({ toolCallId: "call_1", title: "Write file second" })
})

test("a call that nobody saw being written is new, and what hides in its title is written out", () => {
  const call = { type: "tool-call" as const, call: "call_9", tool: "write", ...base }
  expect(updates().begun({ ...call, arguments: { file_path: "a\u202eb\u001b[2J" } })).toMatchObject({
    isNew: true,
    call: { title: "Write file a\\u202eb\\x1b[2J" },
  })
})
