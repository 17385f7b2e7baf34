import type { Network } from "@haft/contract"
import { expect, test } from "vitest"
import { HttpFetch } from "./http-fetch.js"

const mebibyte = 1024 * 1024

/** A server that answers with so many pieces. */
function fetchOf(contentType: string, piece: string, count: number) {
  let sent = 0
  async function* body() {
    for (; sent < count; sent += 1) yield Buffer.from(piece)
  }
  const open = async () => ({ status: 200, statusText: "OK", headers: { "content-type": contentType }, body: body() })
  const { fetch } = new HttpFetch("fake", { open } as unknown as Network)
  return { answer: () => fetch("http://server.test/mcp"), sent: () => sent }
}

test.each(["application/json", "text/event-stream"])("%s without an end ends at the limit", async (contentType) => {
  const { answer, sent } = fetchOf(contentType, "x".repeat(mebibyte), 40)
  await expect((await answer()).text()).rejects.toMatchObject({
    code: "too_large",
    message: 'Cannot use the MCP server "fake": it sent more than 16777216 bytes in one answer',
  })
  expect(sent()).toBeLessThan(20)
})

test("a stream of events may be as long as it likes", async () => {
  const { answer } = fetchOf("text/event-stream", `data: ${"x".repeat(mebibyte)}\n\n`, 20)
  expect((await (await answer()).text()).length).toBe(20 * (mebibyte + 8))
})
