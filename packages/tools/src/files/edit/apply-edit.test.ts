import { ToolError } from "@haft/contract"
import fc from "fast-check"
import { expect, test } from "vitest"
import { encodeText } from "../shared/text/encode-text.js"
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

test("the corrected old_string of a failure works when it is sent back", async () => {
  const word = fc.constantFrom("const", "alpha", "beta", "return", "value", "total", "if", "{", "}", "(1)", "= 0", "")
  const line = fc
    .tuple(fc.constantFrom("", "  ", "\t", "    "), fc.array(word, { maxLength: 5 }))
    .map(([indent, words]) => indent + words.join(" "))
  const file = fc.tuple(fc.array(line, { minLength: 1, maxLength: 30 }), fc.constantFrom("\n", "\r\n"), fc.boolean())
  let corrected = 0
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
        const bytes = Buffer.from(whole)
        const start = from % whole.length
        const true_ = whole.slice(start, start + 1 + (length % 200))
        const cut = at % (true_.length + 1)
        const oldString = true_.slice(0, cut) + typo + true_.slice(cut)
        const wanted = { oldString, newString: "new\ntext", replaceAll: false }
        const error = await applyEdit(bytes, wanted, "a").then(
          () => undefined,
          (thrown: unknown) => thrown as ToolError,
        )
        const details = error?.details as { old_string?: string; new_string?: string } | undefined
        if (details?.old_string === undefined) return
        corrected += 1
        const again = {
          oldString: details.old_string,
          newString: details.new_string ?? wanted.newString,
          replaceAll: false,
        }
        const outcome = await applyEdit(bytes, again, "a")
        expect(outcome).toMatchObject({ replacements: 1 })
        expect(outcome.normalised).toBeUndefined()
      },
    ),
    { numRuns: 1500 },
  )
  expect(corrected).toBeGreaterThan(300)
})

test("any two texts give an edit or a typed refusal, and hostile repetition stays bounded", async () => {
  const repeated = fc
    .tuple(fc.constantFrom("a", " ", "\n", "\r", "x\n", "\t", "1\t"), fc.nat(300))
    .map(([unit, count]) => unit.repeat(count))
  const any = fc.oneof(fc.string({ unit: "binary" }), content, repeated)
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
})

function foldBreaks(text: string): string {
  // How line breaks come out is told by examples; here they only have to be where they were.
  return text.replace(/[\r\n]+/g, "\n")
}
