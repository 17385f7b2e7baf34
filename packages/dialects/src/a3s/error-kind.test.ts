import { expect, test } from "vitest"
import { errorKind } from "./error-kind.js"

test.each([
  [{ retry_after_ms: 70 }, 70],
  [{ retry_after: "3" }, 3000],
  [{ retry_after: "Mon, 16 Nov 2026 00:00:00 GMT" }, undefined],
  [null, undefined],
])("how long to wait: %j", (details, wait) => {
  const call = { tool: "web_fetch", subject: "https://a.test/", durationMs: 1 }
  expect(errorKind({ code: "rate_limited", message: "words", details }, call)).toEqual({
    type: "RateLimited",
    ...(wait !== undefined && { retry_after_ms: wait }),
  })
})
