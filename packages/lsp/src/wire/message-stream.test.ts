import fc from "fast-check"
import { expect, test } from "vitest"
import { MessageSplitter, messageBytes } from "./message-stream.js"

function collect(maxBytes = 1000) {
  const seen: unknown[] = []
  const splitter = new MessageSplitter({
    maxBytes,
    onTooLarge: (bytes) => seen.push(`too large: ${bytes}`),
    onGarbage: (reason) => seen.push(`garbage: ${reason}`),
  })
  return {
    seen,
    push: (text: string | Uint8Array) => {
      for (const message of splitter.push(Buffer.from(text as string))) seen.push(message)
    },
  }
}

test("messages come whole, however the stream is cut", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ value: fc.string({ unit: "grapheme", maxLength: 30 }) }), { maxLength: 5 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 30 }),
      (values, cuts) => {
        const { seen, push } = collect()
        const stream = Buffer.concat(values.map(messageBytes))
        for (let at = 0, turn = 0; at < stream.length; turn += 1) {
          const length = cuts[turn % cuts.length]!
          push(stream.subarray(at, at + length))
          at += length
        }
        expect(seen).toEqual(values)
      },
    ),
  )
})

test("any bytes at all give messages or end in garbage, never a throw", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 10 }), (chunks) => {
      const { seen, push } = collect()
      for (const chunk of chunks) push(chunk)
      expect(seen.filter((each) => String(each).startsWith("garbage")).length).toBeLessThanOrEqual(1)
    }),
  )
})

test("a message that is too large is passed over, and the next one is read", () => {
  const { seen, push } = collect(10)
  push(`Content-Length: 25\r\n\r\n${"x".repeat(20)}`)
  push("xxxxxContent-Length: 2\r\n\r\n{}")
  expect(seen).toEqual(["too large: 25", {}])
})

test.each([
  ["a header without a length", "Content-Type: x\r\n\r\n{}"],
  ["a length that is no number", "Content-Length: many\r\n\r\n{}"],
  ["a negative length", "Content-Length: -2\r\n\r\n{}"],
  ["a body that is not JSON", "Content-Length: 2\r\n\r\n{x"],
  ["an endless line", "x".repeat(9000)],
])("%s is garbage, and nothing is read after it", (_, text) => {
  const { seen, push } = collect()
  push(text)
  push("Content-Length: 2\r\n\r\n{}")
  expect(seen).toHaveLength(1)
  expect(seen[0]).toMatch(/^garbage/)
})

test.each([
  "content-length:2\n\n{}",
  "Content-Type: application/vscode-jsonrpc\r\nContent-Length: 2\r\n\r\n{}",
  "a line that was printed\nContent-Length: 2\r\n\r\n{}",
])("the header %j is understood", (text) => {
  const { seen, push } = collect()
  push(text)
  expect(seen).toEqual([{}])
})
