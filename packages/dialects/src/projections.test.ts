import { errorCodes, type ToolResult } from "@haft/contract"
import fc from "fast-check"
import { expect, test } from "vitest"
import { asyar } from "./asyar/asyar.js"
import { claw } from "./claw/claw.js"
import { haft } from "./haft.js"

const metadata = fc.record(
  {
    duration_ms: fc.oneof(fc.nat(), fc.anything()),
    call_id: fc.string(),
    session_id: fc.string(),
    truncated: fc.boolean(),
    output_path: fc.string(),
    error_code: fc.constantFrom(...errorCodes),
    hint: fc.string(),
    details: fc.anything(),
  },
  { requiredKeys: [] },
)

/** Data with the field names that rows look for, and anything behind them. */
const likeData = fc.dictionary(
  fc.constantFrom(
    ...["content", "path", "hunks", "original", "results", "matches", "stdout", "stderr", "timed_out", "isolation"],
    ...["paths", "filenames", "old_todos", "new_todos", "headers", "attachments", "value", "output", "id", "result"],
  ),
  fc.oneof(fc.anything({ withBigInt: true }), fc.array(fc.anything()), fc.string(), fc.constant(null)),
)

const results = fc.record({
  envelope: fc.oneof(
    fc.record({ type: fc.constant("output"), data: fc.oneof(likeData, fc.anything({ withBigInt: true })), metadata }),
    fc.record({ type: fc.constant("error"), error_text: fc.string(), metadata }),
  ),
  content: fc.array(fc.oneof(fc.record({ type: fc.constant("text"), text: fc.string() }))),
  attachments: fc.constant([]),
  state: fc.anything(),
}) as fc.Arbitrary<unknown> as fc.Arbitrary<ToolResult>

/** What a caller may have sent: it has passed no schema when a call fails early. */
const inputs = fc.oneof(
  fc.constant({}),
  fc.constant(undefined),
  fc.dictionary(fc.constantFrom("command", "query", "setting", "skill", "path"), fc.oneof(fc.string(), fc.anything())),
)

const cases = [
  ...[asyar, claw, haft].map((dialect) => [`${dialect.name} and an unknown name`, dialect, undefined] as const),
  ...[asyar, claw].flatMap((dialect) => dialect.tools.map((row) => [row.name, dialect, row] as const)),
]

test.each(cases)("%s: any result is projected without failing, and success agrees with its type", (_, dialect, row) => {
  fc.assert(
    fc.property(results, inputs, (result, input) => {
      const { value, success, text } = dialect.project(result, row, input)
      const code = result.envelope.metadata?.error_code
      const isAnswer = row?.name === "Config" && (code === "not_found" || code === "unsupported")
      expect(success).toBe(result.envelope.type === "output" || (isAnswer && success))
      expect(typeof text).toBe("string")
      if (dialect !== haft) expect(typeof JSON.stringify(value)).toBe("string")
      if (dialect === claw) expect(value).not.toBe("")
    }),
    { numRuns: 60 },
  )
})

test.each([undefined, null, {}, { envelope: null }, { envelope: { type: "error" } }])(
  "what is no result at all (%j) is a failure with words",
  (broken) => {
    for (const dialect of [asyar, claw, haft]) {
      const { success, text } = dialect.project(broken as unknown as ToolResult, dialect.tools[0], {})
      expect([success, text]).toEqual([false, "The tool failed and did not say why"])
    }
  },
)
