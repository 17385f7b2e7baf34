import fc from "fast-check"
import iconv from "iconv-lite"
import { expect, test } from "vitest"
import { failure } from "../../../../test/failure.js"
import { decodeWindow, encodeText } from "./codec.js"
import { detectEncoding, type EncodingName, legacyEncodings } from "./encoding.js"
import { openText } from "./open-text.js"

const samples: readonly [EncodingName, string][] = [
  ["windows-1251", "Привет, мир! Это обычный текст на русском языке.\r\nЕщё одна строка.\n"],
  ["koi8-r", "Привет, мир! Это обычный текст на русском языке.\n"],
  ["gbk", "// 你好，世界。这是一个简单的例子\nconst a = 1\n"],
  ["big5", "你好，世界。這是一個簡單的例子\n"],
  ["shift_jis", "こんにちは、世界。これは簡単な例です\n"],
  ["euc-jp", "こんにちは、世界。これは簡単な例です\n"],
  ["euc-kr", "안녕하세요 세계 이것은 간단한 예입니다\n"],
  ["windows-1252", "Le café est déjà fermé à Noël — “où êtes-vous?”\n"],
]

test.each(samples)("%s text is recognised and the guess is said", async (encoding, content) => {
  const bytes = iconv.encode(content, encoding)
  expect(await detectEncoding(bytes)).toEqual({ encoding, bomBytes: 0, guessed: true })
  expect((await openText(bytes)).content).toBe(content)
  expect(await decodeWindow(bytes, encoding)).toBe(content)
})

test("a byte order mark decides, and is no part of the content", async () => {
  const cases: readonly [number[], EncodingName][] = [
    [[0xef, 0xbb, 0xbf, 0x61], "utf-8-bom"],
    [[0xff, 0xfe, 0x61, 0x00], "utf-16le"],
    [[0xfe, 0xff, 0x00, 0x61], "utf-16be"],
  ]
  for (const [bytes, encoding] of cases) {
    const text = await openText(new Uint8Array(bytes))
    expect([text.encoding, text.content, text.guessed]).toEqual([encoding, "a", false])
    expect(text.spanOf(0, 1)).toEqual({ start: text.bomBytes, end: bytes.length })
    expect(await decodeWindow(new Uint8Array(bytes), encoding)).toBe("a")
  }
})

test("UTF-16 without a byte order mark is recognised", async () => {
  const content = "const a = 1\r\nconst b = 'größe'\r\n"
  for (const encoding of ["utf-16le", "utf-16be"] as const) {
    const bytes = await encodeText(content, encoding)
    expect(await detectEncoding(bytes)).toEqual({ encoding, bomBytes: 0, guessed: true })
  }
})

test("a few NULs in UTF-8 are text, many NULs and foreign bytes are binary", async () => {
  expect(await detectEncoding(Buffer.from(`a\0${"text ".repeat(20)}`))).toMatchObject({ encoding: "utf-8" })
  expect(await detectEncoding(Buffer.from([1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]))).toBe("binary")
  expect(await detectEncoding(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0xff, 0x80, 0, 3]))).toBe("binary")
  expect(await detectEncoding(Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]))).toBe("binary")
  expect(await detectEncoding(new Uint8Array())).toEqual({ encoding: "utf-8", bomBytes: 0, guessed: false })
})

test("a short text with a NUL is no UTF-16", async () => {
  for (const content of ["a\0b\nc\n", "ab\0c", "x\0", "\0first\nsecond\n"]) {
    expect(await detectEncoding(Buffer.from(content))).toEqual({ encoding: "utf-8", bomBytes: 0, guessed: false })
  }
})

test("a stray byte in UTF-8 is kept apart and can not be inside a span", async () => {
  const bytes = Buffer.concat([Buffer.from("größe über naïve\n"), Buffer.from([0xe4]), Buffer.from(" end 日本\n")])
  const text = await openText(bytes)
  expect(text.encoding).toBe("utf-8")
  expect(text.content).toBe("größe über naïve\n\ufffd end 日本\n")
  const at = text.content.indexOf("日本")
  const span = text.spanOf(at, at + 2)
  expect(bytes.subarray(span.start, span.end).toString()).toBe("日本")
  expect(() => text.spanOf(17, 19)).toThrow(/no characters/)
})

test("a sample that ends inside a character is still UTF-8", async () => {
  const bytes = Buffer.from("日本語日本語日本語")
  for (const sampleBytes of [1, 2, 3, 4, 5]) {
    expect(await detectEncoding(bytes, { sampleBytes })).toMatchObject({ encoding: "utf-8", guessed: false })
  }
})

test("a character that the encoding lacks is named", async () => {
  for (const encoding of ["latin1", "windows-1251", "gbk", "shift_jis"] as const) {
    const error = await failure(encodeText("a😀", encoding))
    expect([error.code, error.message]).toEqual(["unsupported", expect.stringContaining("U+1F600")])
  }
  expect((await failure(encodeText("\ud800", "utf-8"))).message).toContain("U+D800")
  // Shift_JIS has one code for the yen sign and the backslash: what would come back as another character is refused.
  expect((await failure(encodeText("¥", "shift_jis"))).code).toBe("unsupported")
})

test("every byte string opens in every encoding, and each character leads back to its own bytes", async () => {
  const encodings: readonly EncodingName[] = ["utf-8", "utf-16le", "utf-16be", ...legacyEncodings]
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), fc.constantFrom(...encodings), async (bytes, encoding) => {
      const text = await openText(bytes, { encoding, bomBytes: 0, guessed: true })
      let end = 0
      for (let at = 0; at < text.content.length; ) {
        let next = at + 1
        // A character may have two code units.
        while (next < text.content.length && text.byteAt(next + 1) === text.byteAt(next)) next += 1
        if (encoding.startsWith("utf-16") && isPair(text.content, at)) next = at + 2
        expect(text.byteAt(at)).toBe(end)
        end = next < text.content.length ? text.byteAt(next) : bytes.length
        if (!text.hasUndecodable(at, next)) {
          const span = text.spanOf(at, next)
          expect(span).toEqual({ start: text.byteAt(at), end })
          const piece = await openText(bytes.slice(span.start, span.end), { encoding, bomBytes: 0, guessed: true })
          expect(piece.content).toBe(text.content.slice(at, next))
        }
        at = next
      }
      expect(end).toBe(bytes.length)
    }),
    { numRuns: 600 },
  )
})

test("what is encoded decodes to the same text", async () => {
  const encodings: readonly EncodingName[] = ["utf-8", "utf-16le", "utf-16be", ...legacyEncodings]
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary" }), fc.constantFrom(...encodings), async (content, encoding) => {
      let bytes: Uint8Array
      try {
        bytes = await encodeText(content, encoding)
      } catch (error) {
        expect(error).toMatchObject({ code: "unsupported" })
        return
      }
      expect((await openText(bytes, { encoding, bomBytes: 0, guessed: true })).content).toBe(content)
    }),
    { numRuns: 400 },
  )
})

function isPair(content: string, at: number): boolean {
  return (content.charCodeAt(at) & 0xfc00) === 0xd800 && (content.charCodeAt(at + 1) & 0xfc00) === 0xdc00
}
