import { text } from "@haft/contract"
import fc from "fast-check"
import { expect, test } from "vitest"
import { shorten } from "./shorten.js"

const limit = { maxCharacters: 1_000, marks: ["[stdout]", "[stderr]"] }

function shortened(whole: string): string | undefined {
  const [first] = shorten([text(whole), text("[exit code 1]")], limit)?.content ?? []
  return first?.type === "text" ? first.text : undefined
}

test("a text within its limit stays, a longer one keeps whole lines of its head and tail and all other parts", () => {
  expect(shorten([text("x".repeat(1_000))], limit)).toBeUndefined()
  const lines = Array.from({ length: 500 }, (_, index) => `line ${index}`)
  const short = shorten([text(lines.join("\n")), text("[exit code 1]")], limit)!
  expect(short.content[1]).toEqual(text("[exit code 1]"))
  const shown = shortened(lines.join("\n"))!.split("\n")
  const gap = shown.findIndex((line) => /^\[\.\.\. \d+ characters left out \.\.\.\]$/.test(line))
  expect(shown.slice(0, gap)).toEqual(lines.slice(0, gap))
  expect(shown.slice(gap + 1)).toEqual(lines.slice(-(shown.length - gap - 1)))
  expect(gap).toBeGreaterThan(40)
})

test("the stream that the tail belongs to is said again when its mark is left out", () => {
  const out = "o\n".repeat(400)
  const error = "e\n".repeat(2_000)
  expect(shortened(`${out}[stderr]\n${error}`)).toMatch(/characters left out \.\.\.\]\n\[stderr\]\ne\n/)
  // The mark is seen in the head.
  expect(shortened(`o\n[stderr]\n${error}`)).toMatch(/characters left out \.\.\.\]\ne\n/)
  const back = `o\n[stderr]\n${error}[stdout]\n${"o\n".repeat(400)}`
  expect(shortened(back)).toMatch(/characters left out \.\.\.\]\n\[stdout\]\no\n/)
  expect(shortened("o\n".repeat(2_000))).not.toContain("[std")
})

test("whatever the text, head and tail are its own, no character is broken, and it is not too long", () => {
  const line = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 40 }),
    fc.constantFrom("[stderr]", "[stdout]", "🙂".repeat(300), "x".repeat(900)),
  )
  let cut = 0
  fc.assert(
    fc.property(fc.array(line, { maxLength: 80 }), (lines) => {
      const whole = lines.join("\n")
      const short = shortened(whole)
      expect(short === undefined).toBe(whole.length <= 1_000)
      if (short === undefined) return
      cut += 1
      const [, head, left, tail] =
        /^([\s\S]*)\n\[\.\.\. (\d+) characters left out \.\.\.\]\n(?:\[std(?:out|err)\]\n)?([\s\S]*)$/.exec(short)!
      expect(short.length).toBeLessThanOrEqual(1_020)
      expect(whole.startsWith(head!) && whole.endsWith(tail!)).toBe(true)
      expect(head!.length + Number(left) + tail!.length).toBeGreaterThanOrEqual(whole.length - "[stderr]\n".length)
      if (whole.isWellFormed()) expect(short.isWellFormed()).toBe(true)
    }),
    { numRuns: 500 },
  )
  expect(cut).toBeGreaterThan(50)
})
