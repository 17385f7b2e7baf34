import { ToolError } from "@haft/contract"
import fc from "fast-check"
import { expect, test } from "vitest"
import { encodeText } from "../shared/text/codec.js"
import { type EncodingName, legacyEncodings } from "../shared/text/encoding.js"
import { openText } from "../shared/text/open-text.js"
import { applyEdit } from "./apply-edit.js"

const byteOrderMarks: Partial<Record<EncodingName, readonly number[]>> = {
  "utf-8-bom": [0xef, 0xbb, 0xbf],
  "utf-16le": [0xff, 0xfe],
  "utf-16be": [0xfe, 0xff],
}

/** Pieces of text in several scripts, with every kind of line break, NULs and blanks. */
const piece = fc.oneof(
  fc.constantFrom("\n", "\r\n", "\r", "\0", " ", "\t", "  \n", "x", "é", "“", "Привет", "日本", "简单", "½", "😀"),
  fc.string({ minLength: 1, maxLength: 6 }),
)
const content = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""))
const encodings: readonly EncodingName[] = ["utf-8", "utf-8-bom", "utf-16le", "utf-16be", ...legacyEncodings]

/** A file in some encoding: what the encoding lacks is left out, sometimes with a few bytes of noise. */
const fileBytes = fc
  .tuple(content, fc.constantFrom(...encodings), fc.uint8Array({ maxLength: 3 }), fc.boolean(), fc.nat(200))
  .map(([text, encoding, noise, noisy, at]) => ({ text, encoding, noise: noisy ? noise : new Uint8Array(), at }))

async function bytesOf({
  text,
  encoding,
  noise,
  at,
}: {
  text: string
  encoding: EncodingName
  noise: Uint8Array
  at: number
}) {
  const kept: Uint8Array[] = [Buffer.from(byteOrderMarks[encoding] ?? [])]
  for (const character of text) kept.push(await encodeText(character, encoding).catch(() => new Uint8Array()))
  const clean = Buffer.concat(kept)
  const cut = Math.min(at, clean.length)
  return Buffer.concat([clean.subarray(0, cut), noise, clean.subarray(cut)])
}

test("after an edit all bytes outside the span are unchanged and the span is the encoded new string, in every encoding", async () => {
  let applied = 0
  await fc.assert(
    fc.asyncProperty(fileBytes, fc.nat(), fc.nat(), content, async (file, from, length, newString) => {
      const bytes = await bytesOf(file)
      const text = await openText(bytes).catch(() => undefined)
      if (text === undefined || text.content === "") return
      const start = from % text.content.length
      const end = start + 1 + (length % Math.min(12, text.content.length - start))
      const oldString = text.content.slice(start, end)
      const outcome = await applyEdit(bytes, { oldString, newString, replaceAll: false }, "a").catch(
        (error: unknown) => {
          if (!ToolError.is(error)) throw error
          return undefined
        },
      )
      if (outcome === undefined) return
      // Found exactly and once; a CRLF is not split, so that its first half may belong to the span too.
      expect(outcome.normalised).toBeUndefined()
      const splits = oldString.startsWith("\n") && text.content[start - 1] === "\r"
      const span = text.spanOf(splits ? start - 1 : start, end)
      const after = Buffer.from(outcome.bytes)
      const tail = bytes.length - span.end
      expect(after.subarray(0, span.start)).toEqual(bytes.subarray(0, span.start))
      expect(after.subarray(after.length - tail)).toEqual(bytes.subarray(span.end))
      const written = await openText(after.subarray(span.start, after.length - tail), {
        ...{ encoding: text.encoding, bomBytes: 0, guessed: true },
      })
      expect(foldBreaks(written.content)).toBe(foldBreaks(newString))
      applied += 1
    }),
    { numRuns: 1500 },
  )
  expect(applied).toBeGreaterThan(200)
})

/** What an error offers to send instead. */
async function hintOf(bytes: Uint8Array, oldString: string, newString: string) {
  const error = await applyEdit(bytes, { oldString, newString, replaceAll: false }, "a").then(
    () => undefined,
    (thrown: unknown) => thrown as ToolError,
  )
  const details = error?.details as { old_string?: string; new_string?: string } | undefined
  if (details?.old_string === undefined) return undefined
  return { oldString: details.old_string, newString: details.new_string ?? newString, replaceAll: false }
}

/** A line of a program: how deep it is and what it says. Equal and similar lines are common. */
const programLine = fc.record({
  level: fc.nat(3),
  words: fc.oneof(
    fc.constantFrom([], ["}"], ["run(1)"], ["run(2)"], ["if", "(a)", "{"]),
    fc.array(fc.constantFrom("const", "alpha", "beta", "return", "(1)", "= 0", "gamma,"), { maxLength: 4 }),
  ),
})
type ProgramLine = { readonly level: number; readonly words: readonly string[] }
const lay = (lines: readonly ProgramLine[], unit: string, base = "") =>
  lines.map(({ level, words }) => (words.length === 0 ? "" : base + unit.repeat(level) + words.join(" ")))

/** A file, a block of its lines, what the block shall become, and another indentation for both. */
const indentedEdit = fc.record({
  lines: fc.array(programLine, { minLength: 1, maxLength: 14 }),
  from: fc.nat(),
  count: fc.integer({ min: 1, max: 5 }),
  changed: fc.array(fc.record({ at: fc.nat(5), remove: fc.nat(1), add: fc.array(programLine, { maxLength: 2 }) }), {
    minLength: 1,
    maxLength: 2,
  }),
  unit: fc.constantFrom("  ", "    ", "        ", "\t"),
  sentUnit: fc.constantFrom("", " ", "  ", "   ", "    ", "\t"),
  sentBase: fc.constantFrom("", "", "  ", "\t"),
  ending: fc.constantFrom("\n", "\r\n"),
  finalBreak: fc.boolean(),
  sentBreak: fc.boolean(),
})

test("every hint that is sent back makes the exact edit, whatever indentation was sent", async () => {
  let hints = 0
  await fc.assert(
    fc.asyncProperty(indentedEdit, async (edit) => {
      const { lines, unit, sentUnit, sentBase } = edit
      // A file without any line break has none that new lines could take.
      const ending = lines.length > 1 || edit.finalBreak ? edit.ending : "\n"
      const from = edit.from % lines.length
      const block = lines.slice(from, from + edit.count)
      const next = [...block]
      for (const { at, remove, add } of edit.changed) {
        // Where no indentation is sent at all, nobody can know which one a new line shall have.
        next.splice(at % (next.length + 1), remove, ...(sentUnit === "" ? block.slice(at) : add))
      }
      const file = lay(lines, unit)
      const after = [...file.slice(0, from), ...lay(next, unit), ...file.slice(from + block.length)]
      const sent = (part: readonly ProgramLine[]) =>
        lay(part, sentUnit, sentBase)
          .map((line, index) => (index < part.length - 1 || edit.sentBreak ? `${line}\n` : line))
          .join("")
      const whole = (all: readonly string[]) => all.join(ending) + (edit.finalBreak && all.length > 0 ? ending : "")
      const hint = await hintOf(Buffer.from(whole(file)), sent(block), sent(next))
      if (hint === undefined) return
      hints += 1
      const outcome = await applyEdit(Buffer.from(whole(file)), hint, "a")
      expect(outcome).toMatchObject({ replacements: 1 })
      expect(outcome.normalised).toBeUndefined()
      // Nothing is left of the block only where its lines and their line breaks were sent; else an empty line is.
      const expected = next.length === 0 && !edit.sentBreak ? after.toSpliced(from, 0, "") : after
      expect(Buffer.from(outcome.bytes).toString()).toBe(whole(expected))
    }),
    { numRuns: 6000 },
  )
  expect(hints).toBeGreaterThan(300)
})

test("a hint for a text with wrong words is whole lines, and the lines around them stay", async () => {
  const word = fc.constantFrom("const", "alpha", "beta", "return", "value", "total", "if", "{", "}", "(1)", "= 0", "")
  const line = fc
    .tuple(fc.constantFrom("", "  ", "\t", "    "), fc.array(word, { maxLength: 5 }))
    .map(([indent, words]) => indent + words.join(" "))
  const file = fc.tuple(fc.array(line, { minLength: 1, maxLength: 30 }), fc.constantFrom("\n", "\r\n"), fc.boolean())
  let hints = 0
  await fc.assert(
    fc.asyncProperty(
      file,
      fc.nat(),
      fc.nat(),
      fc.nat(),
      fc.constantFrom("X", "gamma", " "),
      async ([lines, ending, final], from, length, at, typo) => {
        const whole = lines.join(ending) + (final ? ending : "")
        if (whole === "") return
        const start = from % whole.length
        const right = whole.slice(start, start + 1 + (length % 200))
        const cut = at % (right.length + 1)
        const hint = await hintOf(Buffer.from(whole), right.slice(0, cut) + typo + right.slice(cut), "new\ntext")
        if (hint === undefined) return
        hints += 1
        const place = whole.indexOf(hint.oldString)
        const end = place + hint.oldString.length
        expect(place === 0 || whole[place - 1] === "\n").toBe(true)
        expect(end === whole.length || whole[end] === ending[0] || hint.oldString.endsWith("\n")).toBe(true)
        expect(whole.indexOf(hint.oldString, place + 1)).toBe(-1)
        const outcome = await applyEdit(Buffer.from(whole), hint, "a")
        expect(outcome.normalised).toBeUndefined()
        const changed = Buffer.from(outcome.bytes).toString()
        expect(changed.startsWith(whole.slice(0, place))).toBe(true)
        expect(changed.endsWith(whole.slice(end))).toBe(true)
      },
    ),
    { numRuns: 3000 },
  )
  expect(hints).toBeGreaterThan(100)
})

test("any two texts give an edit or a typed refusal, and hostile repetition stays bounded", async () => {
  const repeated = fc
    .tuple(fc.constantFrom("a", " ", "\n", "\r", "x\n", "\t", "1\t"), fc.nat(300))
    .map(([unit, count]) => unit.repeat(count))
  const any = fc.oneof(fc.string({ unit: "binary" }), content, repeated)
  let edits = 0
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        any.map((text) => Buffer.from(text)),
        fc.uint8Array(),
      ),
      any,
      any,
      fc.boolean(),
      async (bytes, oldString, newString, replaceAll) => {
        if (oldString === "") return
        edits += 1
        const before = Buffer.from(bytes)
        const result = await applyEdit(bytes, { oldString, newString, replaceAll }, "a").catch(
          (error: unknown) => error,
        )
        if (result instanceof Error) expect(ToolError.is(result), result.stack).toBe(true)
        expect(Buffer.from(bytes)).toEqual(before)
      },
    ),
    { numRuns: 1500 },
  )
  expect(edits).toBeGreaterThan(1000)
})

function foldBreaks(text: string): string {
  // How line breaks come out is told by examples; here they only have to be where they were.
  return text.replace(/[\r\n]+/g, "\n")
}
