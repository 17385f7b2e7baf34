import { errorCodes, type ToolResult } from "@haft/contract"
import fc from "fast-check"
import { expect, test } from "vitest"
import { a3s } from "./a3s/a3s.js"
import { lobe } from "./lobe/lobe.js"

const metadata = fc.record(
  {
    duration_ms: fc.oneof(fc.nat(), fc.anything()),
    output_path: fc.oneof(fc.string(), fc.anything()),
    error_code: fc.constantFrom(...errorCodes),
    hint: fc.string(),
    details: fc.anything({ withBigInt: true }),
  },
  { requiredKeys: [] },
)

const fields = [
  ...["content", "path", "paths", "file_path", "entries", "matches", "match_count", "complete", "stdout", "stderr"],
  ...["exit_code", "timed_out", "isolation", "start_line", "line_count", "image", "text", "results", "failed", "pages"],
  ...["files", "moved", "todos", "plan", "cleared", "id", "output", "mode", "filenames", "url", "bytes_written"],
]
const likeData = fc.dictionary(
  fc.constantFrom(...fields),
  fc.oneof(
    fc.anything({ withBigInt: true }),
    fc.array(fc.anything()),
    fc.string(),
    fc.boolean(),
    fc.constant(null),
    fc.nat(),
  ),
)
const results = fc.record({
  envelope: fc.oneof(
    fc.record({ type: fc.constant("output"), data: fc.oneof(likeData, fc.anything({ withBigInt: true })), metadata }),
    fc.record({ type: fc.constant("error"), error_text: fc.string(), metadata }),
  ),
  content: fc.array(fc.record({ type: fc.constant("text"), text: fc.string() })),
  attachments: fc.constant([]),
  state: fc.anything(),
}) as fc.Arbitrary<unknown> as fc.Arbitrary<ToolResult>
const inputs = fc.oneof(
  fc.constant(undefined),
  fc.dictionary(fc.constantFrom("path", "command", "limit"), fc.anything()),
)

const cases = [a3s, lobe].flatMap((dialect) => [
  [`${dialect.name} and an unknown name`, dialect, undefined] as const,
  ...dialect.tools.map((row) => [`${dialect.name} ${row.name}`, dialect, row] as const),
])

test.each(cases)("%s: any result is projected without failing, and success agrees with its type", (_, dialect, row) => {
  // In these systems the end of a process, or of a page, can be a failure of the call.
  const mayFail = ["bash", "box", "lobe-web-browsing____crawlSinglePage"].includes(row?.name ?? "bash")
  fc.assert(
    fc.property(results, inputs, (result, input) => {
      const { value, success, text } = dialect.project(result, row, input)
      const { success: said, content } = value as { success: unknown; content: unknown }
      expect([said, content]).toEqual([success, text])
      if (result.envelope.type === "error") expect(success).toBe(false)
      else if (!mayFail && success === false) expect(result.envelope.data).toHaveProperty("exit_code")
      expect(text).not.toBe("")
      expect(typeof JSON.stringify(value)).toBe("string")
    }),
    { numRuns: 60 },
  )
})

test.each([undefined, null, {}, { envelope: null }, { envelope: { type: "error" } }])(
  "what is no result at all (%j) is a failure with words",
  (broken) => {
    for (const dialect of [a3s, lobe]) {
      const { success, text } = dialect.project(broken as unknown as ToolResult, dialect.tools[0], {})
      expect([success, text]).toEqual([false, "The tool failed and did not say why"])
    }
  },
)
