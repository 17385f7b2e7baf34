import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type DetectedEncoding, decodeWindow, type EncodingName, encodeText } from "../shared/text/index.js"
import { bytePage } from "./byte-page.js"
import { linePage, memorySource } from "./line-page.js"
import type { Page } from "./page.js"

// Characters that each encoding has, of every width it knows.
const alphabets: Readonly<Partial<Record<EncodingName, readonly string[]>>> = {
  "utf-8": ["a", "é", "汉", "😀", "\n", "\r\n", "\0"],
  "utf-16le": ["a", "é", "汉", "😀", "\n", "\r\n", "਀"],
  "utf-16be": ["a", "é", "汉", "😀", "\n", "\r\n", "਀"],
  "windows-1252": ["a", "é", "€", "\n", "\r\n"],
  "windows-1251": ["a", "я", "\n"],
  gbk: ["a", "1", "汉", "字", "亂", "\n", "\r\n", "@"],
  gb18030: ["a", "1", "汉", "😀", "\n"],
  shift_jis: ["a", "漢", "ｱ", "ソ", "\n"],
  "euc-kr": ["a", "한", "\n"],
}
const cases = Object.entries(alphabets) as [EncodingName, readonly string[]][]
const texts = (alphabet: readonly string[]) =>
  fc.array(fc.constantFrom(...alphabet), { maxLength: 120 }).map((characters) => characters.join(""))
const known = (encoding: EncodingName): DetectedEncoding => ({ encoding, bomBytes: 0, guessed: false })

describe.each(cases)("in %s", (encoding, alphabet) => {
  test("pages of lines put together are the whole text", async () => {
    await fc.assert(
      fc.asyncProperty(
        texts(alphabet),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 12, max: 90 }),
        async (text, limit, max) => {
          const source = memorySource(await encodeText(text, encoding))
          const request = { path: "a", encoding: known(encoding), maxBytes: max, maxContentBytes: max }
          const byBytes = (byteOffset: number) => bytePage(source, { ...request, byteOffset })
          let joined = ""
          let page: Page = await linePage(source, { ...request, offset: 0, limit })
          for (;;) {
            joined += page.content
            expect(new TextEncoder().encode(page.content).length).toBeLessThanOrEqual(max)
            if (page.next_byte_offset !== undefined) page = await byBytes(page.next_byte_offset)
            else if (page.next_offset !== undefined)
              page = await linePage(source, { ...request, offset: page.next_offset, limit })
            else break
          }
          expect(page.eof).toBe(true)
          expect(joined).toBe(text)
        },
      ),
    )
  })

  test("[C2-48] pages of bytes put together are the whole text, whatever their size", async () => {
    await fc.assert(
      fc.asyncProperty(texts(alphabet), fc.integer({ min: 1, max: 50 }), async (text, maxBytes) => {
        const source = memorySource(await encodeText(text, encoding))
        const request = { path: "a", encoding: known(encoding), maxBytes, maxContentBytes: 10_000 }
        let joined = ""
        let byteOffset: number | undefined = 0
        while (byteOffset !== undefined) {
          const page: Page = await bytePage(source, { ...request, byteOffset })
          joined += page.content
          if (page.next_byte_offset !== undefined) expect(page.next_byte_offset).toBeGreaterThan(byteOffset)
          byteOffset = page.next_byte_offset
        }
        expect(joined).toBe(text)
      }),
    )
  })

  test("a page from any byte begins with a whole character that is in the text", async () => {
    await fc.assert(
      fc.asyncProperty(texts(alphabet), fc.nat(), async (text, anywhere) => {
        const bytes = await encodeText(text, encoding)
        const byteOffset = anywhere % (bytes.length + 1)
        const request = { path: "a", encoding: known(encoding), maxBytes: 1000, maxContentBytes: 10_000 }
        const { content } = await bytePage(memorySource(bytes), { ...request, byteOffset })
        expect(text.endsWith(content)).toBe(true)
        expect(bytes.length - (await encodeText(content, encoding)).length).toBeLessThanOrEqual(byteOffset)
      }),
    )
  })
})

test("lines never lose bytes that no encoding explains", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 1, max: 5 }), async (bytes, limit) => {
      const request = { path: "a", encoding: known("utf-8"), maxBytes: 10_000, maxContentBytes: 100_000 }
      let joined = ""
      let offset: number | undefined = 0
      while (offset !== undefined) {
        const page: Page = await linePage(memorySource(bytes), { ...request, offset, limit })
        joined += page.content
        offset = page.next_offset
      }
      const whole = await decodeWindow(bytes, "utf-8")
      expect(joined.replaceAll("\ufeff", "")).toBe(whole.replaceAll("\ufeff", ""))
    }),
  )
})

test("the line number of a byte range is that of its first character", async () => {
  const source = memorySource(new TextEncoder().encode("one\ntwo\nthree"))
  const request = { path: "a", encoding: known("utf-8"), maxBytes: 4, maxContentBytes: 100 }
  expect(await bytePage(source, { ...request, byteOffset: 5 })).toMatchObject({
    start_line: 2,
    content: "wo\nt",
    line_count: 2,
  })
  expect(await bytePage(source, { ...request, byteOffset: 13 })).toMatchObject({
    start_line: 0,
    content: "",
    eof: true,
  })
})

test("a file that was made shorter meanwhile ends where it ends", async () => {
  const source = { ...memorySource(new TextEncoder().encode("short")), whole: undefined, size: 5_000 }
  const request = { path: "a", encoding: known("utf-8"), maxBytes: 100, maxContentBytes: 100 }
  expect(await bytePage(source, { ...request, byteOffset: 2 })).toMatchObject({ content: "ort", eof: true })
  expect(await bytePage(source, { ...request, byteOffset: 4_000 })).toMatchObject({ content: "", eof: true })
})
