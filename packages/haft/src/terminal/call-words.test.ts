import type { Envelope } from "@haft/contract"
import { sayEnglish } from "@haft/language"
import { expect, test } from "vitest"
import { callEnd } from "./call-words.js"

const metadata = { duration_ms: 1, call_id: "call_1", session_id: "ses_1" }
const output = (data: unknown): Envelope => ({ type: "output", data, metadata })

test.each([
  [{ exit_code: 0, timed_out: false }, "ok"],
  [{ exit_code: 1, timed_out: false }, "exit 1"],
  [{ exit_code: 127, timed_out: false }, "exit 127"],
  [{ exit_code: null, timed_out: true, signal: "SIGTERM" }, "timed out"],
  [{ exit_code: null, timed_out: false, signal: "SIGSEGV\u001b[2J" }, "SIGSEGV\\x1b[2J"],
  [{ state: "running" }, "ok"],
  [{ state: "exited", exit_code: 3 }, "exit 3"],
  [{ state: "stopped", exit_code: null, signal: "SIGTERM" }, "ok"],
  [{ session_id: "ses_2", output: "Found." }, "ok"],
  [{ output: "", stopped: "aborted: the person left" }, "aborted: the person left"],
  [{ output: "", stopped: "limit: The turn reached its limit\nof 3 steps" }, "limit: The turn reached its limit …"],
  ["a text", "ok"],
  [null, "ok"],
])("a call with the data %j ends with %j", (data, words) => {
  expect(callEnd(output(data), sayEnglish)).toEqual({ isGood: words === "ok", words })
})

test("a call that ended with an error says its code and the first line", () => {
  const envelope: Envelope = {
    ...{ type: "error", error_text: "Cannot read it\nmore" },
    metadata: { ...metadata, error_code: "not_found" },
  }
  expect(callEnd(envelope, sayEnglish)).toEqual({ isGood: false, words: "not_found: Cannot read it" })
})
