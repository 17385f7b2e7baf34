import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { foundResult } from "./found-result.js"
import { plainText } from "./plain-text.js"

const base = "https://search.example/find?q=x"

describe("a result", () => {
  test("has an absolute http or https address, or is none", () => {
    const urlOf = (url: string | undefined) => foundResult({ title: "t", url }, base)?.url
    expect(urlOf("/link?url=a")).toBe("https://search.example/link?url=a")
    expect(urlOf("//example.org/a b")).toBe("https://example.org/a%20b")
    expect(urlOf("https://me:secret@example.org/")).toBe("https://example.org/")
    for (const none of ["javascript:alert(1)", "data:text/html,x", "ftp://example.org/", "http://", "", undefined])
      expect(urlOf(none)).toBeUndefined()
  })

  test("without a title is called by its host", () => {
    expect(foundResult({ title: " \n", url: "https://example.org/a" }, base)?.title).toBe("example.org")
  })

  test("keeps what joins letters and drops what nobody sees", () => {
    const title = "\u{1f469}\u200d\u{1f4bb} na\u00adme \u202egnp\u200b\u{e0041} \u0645\u06cc\u200c\u062e"
    expect(foundResult({ title, url: "https://example.org/" }, base)?.title).toBe(
      "\u{1f469}\u200d\u{1f4bb} name gnp \u0645\u06cc\u200c\u062e",
    )
  })

  test("is on one line and of bounded length, whatever the provider sent", () => {
    const words = fc.string({ unit: "grapheme", maxLength: 30 }).map((part) => part.repeat(100))
    fc.assert(
      fc.property(words, words, fc.webUrl(), (title, snippet, url) => {
        const result = foundResult({ title, url, snippet, published: snippet }, base)
        expect(result?.title.length).toBeLessThanOrEqual(300)
        expect(result?.snippet.length).toBeLessThanOrEqual(1000)
        expect(`${result?.title}${result?.snippet}${result?.published}`).not.toMatch(/[\n\r\t\u0000-\u001f\u200b]/)
        expect(result?.title).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/)
      }),
    )
  })
})

describe("plain text", () => {
  test("has no tags and no entities", () => {
    expect(plainText('a <span class="searchmatch">b</span> &amp;lt; &quot;&#039;&#x4e2d;&nbsp;&unknown;')).toBe(
      `a b &lt; "'中 &unknown;`,
    )
    expect(plainText("&#0; &#x110000; &#9999999; 1 < 2")).toBe("&#0; &#x110000; &#9999999; 1 < 2")
  })

  test("is found in any text, in time that grows with its length", () => {
    fc.assert(fc.property(fc.string(), (html) => void plainText(html)))
    expect(plainText("<".repeat(100_000)).length).toBeLessThanOrEqual(8192)
  })
})
