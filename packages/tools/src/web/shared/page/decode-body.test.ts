import fc from "fast-check"
import iconv from "iconv-lite"
import { expect, test } from "vitest"
import { charsetOf } from "./content-kind.js"
import { decodeBody } from "./decode-body.js"

const chinese = "<html><head><title>标题</title></head><body><p>你好，世界。这是一个简单的例子</p></body></html>"
const japanese = "<p>こんにちは、世界。これは簡単な例です</p>"
const withMeta = (page: string, charset: string) => `<meta charset="${charset}">${page}`
const cases: readonly [string, string, Uint8Array, string][] = [
  ["GBK named by the header", "text/html; charset=GBK", iconv.encode(chinese, "gbk"), "你好"],
  ["GBK named by the page", "text/html", iconv.encode(withMeta(chinese, "gb2312"), "gbk"), "你好"],
  ["GBK named by nobody", "text/html", iconv.encode(chinese, "gbk"), "你好"],
  ["GBK called UTF-8 by the header", "text/html; charset=utf-8", iconv.encode(withMeta(chinese, "gbk"), "gbk"), "你好"],
  [
    "GBK called UTF-8 by everybody",
    "text/html; charset=utf-8",
    iconv.encode(withMeta(chinese, "utf-8"), "gbk"),
    "你好",
  ],
  ["Shift_JIS", "text/html; charset=shift_jis", iconv.encode(japanese, "shift_jis"), "こんにちは"],
  ["Shift_JIS named by nobody", "text/html", iconv.encode(japanese, "shift_jis"), "こんにちは"],
  ["ISO-2022-JP", "text/html; charset=iso-2022-jp", Buffer.from("\x1b$B$3$s$K$A$O\x1b(B", "latin1"), "こんにちは"],
  ["UTF-8 called GBK", "text/html; charset=gbk", Buffer.from(withMeta(chinese, "gbk")), "你好"],
  ["UTF-8 called Latin-1", "text/html; charset=iso-8859-1", Buffer.from(japanese), "こんにちは"],
  ["UTF-16 with a mark", "text/html; charset=latin1", iconv.encode(chinese, "utf-16le", { addBOM: true }), "你好"],
  ["UTF-16 with a mark, big-endian", "text/html", iconv.encode(chinese, "utf-16be", { addBOM: true }), "你好"],
  ["UTF-16 named by the header", "text/html; charset=utf-16le", iconv.encode(chinese, "utf-16le"), "你好"],
  ["ASCII called UTF-16", "text/html; charset=utf-16", Buffer.from(withMeta("<p>plain</p>", "utf-16")), "plain"],
  ["an unknown charset", 'text/html; charset="klingon"', Buffer.from(japanese), "こんにちは"],
  ["Latin-1", "text/html; charset=iso-8859-1", Buffer.from("<p>caf\xe9 d\xe9j\xe0</p>", "latin1"), "café déjà"],
  [
    "UTF-8 with a broken byte",
    "text/html; charset=utf-8",
    Buffer.concat([Buffer.from("<p>日本語日本語 "), Buffer.from([0xe9]), Buffer.from(" 日本")]),
    "日本語日本語 \ufffd 日本",
  ],
  [
    "XML that names its encoding",
    "application/xml",
    iconv.encode('<?xml version="1.0" encoding="GBK"?><a>你好，世界</a>', "gbk"),
    "你好",
  ],
]
test.each(cases)("%s", async (_, type, body, expected) => {
  const isMarkup = !type.startsWith("text/plain")
  expect(await decodeBody(body, { header: charsetOf(type), isMarkup })).toContain(expected)
})

test("text that nobody described is read, whatever its encoding", async () => {
  for (const charset of ["windows-1251", "big5", "euc-kr", "euc-jp"]) {
    const words =
      { "windows-1251": "Привет, мир! Это обычный текст на русском языке.", big5: "你好，世界。這是一個簡單的例子" }[
        charset
      ] ?? (charset === "euc-kr" ? "안녕하세요 세계 이것은 간단한 예입니다" : "こんにちは、世界。これは簡単な例です")
    expect(await decodeBody(iconv.encode(words, charset), { isMarkup: false })).toBe(words)
  }
})

test("any bytes under any name are some text, and UTF-8 is always itself", async () => {
  const name = fc.constantFrom(
    undefined,
    "utf-8",
    "gbk",
    "utf-16",
    "utf-16be",
    "x-user-defined",
    "klingon",
    "iso-2022-jp",
    "replacement",
  )
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 100 }), name, fc.boolean(), async (bytes, header, isMarkup) => {
      expect(typeof (await decodeBody(bytes, { header, isMarkup }))).toBe("string")
    }),
  )
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme" }), name, async (words, header) => {
      const text = `ä${words}`
      expect(await decodeBody(Buffer.from(text), { header, isMarkup: true })).toBe(text)
    }),
  )
})
