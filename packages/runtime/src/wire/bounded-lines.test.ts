import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { BoundedLines, TooLong } from "./bounded-lines.js"

function read(chunks: readonly string[], maxBytes = 10): (string | number)[] {
  const lines = new BoundedLines(maxBytes)
  const all = chunks.flatMap((chunk) => [...lines.take(Buffer.from(chunk))])
  const rest = lines.rest()
  return [...all, ...(rest === undefined ? [] : [rest])].map((line) =>
    line instanceof TooLong ? line.bytes : line.toString(),
  )
}

describe("bounded lines", () => {
  test.each<[string, readonly string[], readonly (string | number)[]]>([
    ["one in a chunk", ["a\n"], ["a"]],
    ["several in a chunk", ["a\nb\n\nc\n"], ["a", "b", "", "c"]],
    ["one in several chunks", ["a", "b", "c\nd\n"], ["abc", "d"]],
    ["an end in a chunk of its own", ["abc", "\n", "d\n"], ["abc", "d"]],
    ["the last one without an end", ["a\nb"], ["a", "b"]],
    ["just as long as allowed", ["0123456789\n"], ["0123456789"]],
    ["one byte longer", ["0123456789a\nb\n"], [11, "b"]],
    ["longer, in chunks", ["0123456789", "abc", "def\nb\n"], [16, "b"]],
    ["longer, without an end", ["0123456789abc"], [13]],
  ])("%s", (_what, chunks, lines) => {
    expect(read(chunks)).toEqual(lines)
  })

  test("a character that two chunks share stays whole", () => {
    const lines = new BoundedLines(10)
    const bytes = Buffer.from("é\n")
    expect([...lines.take(bytes.subarray(0, 1))]).toEqual([])
    expect([...lines.take(bytes.subarray(1))].map(String)).toEqual(["é"])
  })

  test("what is too long is known before its end, and not kept", () => {
    const lines = new BoundedLines(10)
    for (const chunk of ["01234", "56789", "x"]) {
      expect(lines.isTooLong).toBe(false)
      expect([...lines.take(Buffer.from(chunk))]).toEqual([])
    }
    expect(lines.isTooLong).toBe(true)
  })

  test("are the same however the bytes are cut", () => {
    const text = fc.stringMatching(/^[a-c\n]{0,60}$/)
    fc.assert(
      fc.property(text, fc.array(fc.nat(60)), (whole, cuts) => {
        const at = [0, ...cuts.filter((cut) => cut < whole.length).sort((a, b) => a - b), whole.length]
        const chunks = at.slice(1).map((end, index) => whole.slice(at[index], end))
        expect(read(chunks, 1000)).toEqual(whole === "" ? [] : whole.replace(/\n$/, "").split("\n"))
      }),
    )
  })
})
