import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type ControlMessage, createControlReader } from "./control-reader.js"

const nonce = "0123456789abcdef0123456789abcdef"
const other = "f".repeat(32)
const bytes = (text: string) => Buffer.from(text, "latin1")

function hear(restored: boolean, text: string): readonly ControlMessage[] {
  const reader = createControlReader({ restored })
  if (restored) reader.go(nonce)
  return reader.push(bytes(text))
}

test("a machine says READY, and after go STARTED and EXIT", () => {
  const reader = createControlReader({ restored: false })
  expect(reader.push(bytes("READY\n"))).toEqual([{ type: "ready" }])
  reader.go(nonce)
  expect(reader.push(bytes(`STARTED ${nonce}\nEXIT ${nonce} 7\n`))).toEqual([
    { type: "started" },
    { type: "exit", code: 7 },
  ])
})

test("a line may come in any pieces", () => {
  const text = `STARTED ${nonce}\nEXIT ${nonce} 255\n`
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: text.length }), { maxLength: 10 }), (cuts) => {
      const reader = createControlReader({ restored: true })
      reader.go(nonce)
      const places = [0, ...[...cuts].sort((a, b) => a - b), text.length]
      const messages = places.slice(1).flatMap((end, index) => reader.push(bytes(text.slice(places[index], end))))
      expect(messages).toEqual([{ type: "started" }, { type: "exit", code: 255 }])
    }),
  )
})

test("a step that failed in the guest is told", () => {
  expect(hear(true, `FAILED ${nonce} unpack\n`)).toEqual([{ type: "failed", step: "unpack" }])
})

describe("a forged or broken line is a violation and never an exit code:", () => {
  test.each([
    ["exit before the command started", `EXIT ${nonce} 0\n`],
    ["exit with another nonce", `STARTED ${nonce}\nEXIT ${other} 0\n`],
    ["exit without a nonce", `STARTED ${nonce}\nEXIT 0\n`],
    ["exit with a number that is none", `STARTED ${nonce}\nEXIT ${nonce} zero\n`],
    ["exit out of range", `STARTED ${nonce}\nEXIT ${nonce} 256\n`],
    ["exit with a sign", `STARTED ${nonce}\nEXIT ${nonce} -1\n`],
    ["exit with a tail", `STARTED ${nonce}\nEXIT ${nonce} 0 0\n`],
    ["started twice", `STARTED ${nonce}\nSTARTED ${nonce}\n`],
    ["ready again", "READY\n"],
    ["a line without end", "x".repeat(100_000)],
    ["a long line", `STARTED ${nonce}${" ".repeat(300)}\n`],
    ["bytes that are no text", "\xff\xfe\0\n"],
    ["failure after the start", `STARTED ${nonce}\nFAILED ${nonce} seed\n`],
  ])("%s", (_, text) => {
    const messages = hear(true, text)
    expect(messages.at(-1)?.type).toBe("violation")
    expect(messages.some(({ type }) => type === "exit")).toBe(false)
  })
})

test("a guest that speaks before it is asked is not believed, whatever it says", () => {
  const restored = createControlReader({ restored: true })
  expect(restored.push(bytes(`EXIT ${nonce} 0\n`))[0]?.type).toBe("violation")
  restored.go(nonce)
  expect(createControlReader({ restored: false }).push(bytes(`EXIT ${nonce} 0\n`))[0]?.type).toBe("violation")
})

test("after an end nothing is heard any more", () => {
  const reader = createControlReader({ restored: true })
  reader.go(nonce)
  expect(reader.push(bytes(`STARTED ${nonce}\nEXIT ${nonce} 5\nEXIT ${nonce} 0\n`))).toEqual([
    { type: "started" },
    { type: "exit", code: 5 },
  ])
  expect(reader.push(bytes(`EXIT ${nonce} 0\n`))).toEqual([])
})

test("any bytes give at most one end, and an exit code only for the right nonce", () => {
  const line = fc.constantFrom(
    "READY\n",
    `STARTED ${nonce}\n`,
    `EXIT ${other} 0\n`,
    `EXIT ${nonce} 3\n`,
    "EXIT",
    "\n",
    "\xff",
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
      const messages = hear(true, lines.join(""))
      const ends = messages.filter(({ type }) => type === "exit" || type === "violation" || type === "failed")
      expect(ends.length).toBeLessThanOrEqual(1)
      const exit = messages.find(({ type }) => type === "exit")
      if (exit) expect(lines.join("")).toMatch(new RegExp(`^STARTED ${nonce}\nEXIT ${nonce} 3\n`))
    }),
  )
})
