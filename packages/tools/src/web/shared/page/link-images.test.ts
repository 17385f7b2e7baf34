import fc from "fast-check"
import { expect, test } from "vitest"
import { linkImages } from "./link-images.js"

const markdown = (text: string) => linkImages({ text, mediaType: "text/markdown", url: "https://x.test/readme" })
const plain = (text: string) => linkImages({ text, mediaType: "text/plain", url: "https://x.test/a.txt" })

test.each([
  ["![a](https://x.test/p.png)", "[a](https://x.test/p.png)"],
  ["![a](//x.test/p.png 'title')", "[a](//x.test/p.png 'title')"],
  ["![](<https://x.test/p.png>)", "[](<https://x.test/p.png>)"],
  ["[![badge](https://x.test/b.svg)](https://x.test)", "[[badge](https://x.test/b.svg)](https://x.test)"],
  ["![a [b] c](https://x.test/p.png)", "[a [b] c](https://x.test/p.png)"],
  ["![two\nlines](https://x.test/p.png)", "[two\nlines](https://x.test/p.png)"],
])("%j is a link, in Markdown and in plain text", (text, expected) => {
  expect(markdown(text)).toBe(expected)
  expect(plain(text)).toBe(expected)
})

test.each([
  ["![a][ref]\n\n[ref]: https://x.test/p.png", "[a][ref]\n\n[ref]: https://x.test/p.png"],
  ["![local](p.png)", "[local](p.png)"],
  ['<img src="https://x.test/p.png" alt="a [b]">', "[image: a  b](<https://x.test/p.png>)"],
  ["<IMG/src=https://x.test/p.png>", "[image](<https://x.test/p.png>)"],
  ["<image alt='x' src='https://x.test/a b'/>", "[image: x](<https://x.test/ab>)"],
  ["<img alt=only>", "\\[image: only\\]"],
  ["!<img src=https://x.test/p>", "[image](<https://x.test/p>)"],
  ['<img alt="a<b" src=https://x.test/p>', '\\<img alt="a<b" src=https://x.test/p>'],
  ["!!![a](https://x.test/p)", "[a](https://x.test/p)"],
])("%j is a link in Markdown", (text, expected) => expect(markdown(text)).toBe(expected))

test.each(["if (![1, 2].includes(x)) f(!a[b](c))", "![local](p.png)", "Wow![1](see below)", "<img src=x>"])(
  "%j stays as it is in plain text",
  (text) => expect(plain(text)).toBe(text),
)

test("a file that is called Markdown is Markdown, whatever the server says", () => {
  const text = "![a][b]"
  expect(linkImages({ text, mediaType: "text/plain", url: "https://x.test/README.md?raw=1" })).toBe("[a][b]")
})

test("whatever the text, Markdown keeps no image and plain text no remote one", () => {
  const piece = fc.constantFrom(
    "![",
    "[",
    "]",
    "](",
    "(",
    ")",
    "https://x.test/p",
    "//x",
    "<img src=",
    ">",
    '"',
    " ",
    "\n",
    "a",
    "!",
    "\\",
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join("")
      expect(markdown(text)).not.toMatch(/!\[|(?<!\\)<img\b[^>]*>/)
      expect(plain(text)).not.toMatch(/!\[[^[\]]*\]\((?:https?:)?\/\//)
    }),
    { numRuns: 2000 },
  )
})

test.each(["!", "![", "![[", "![a](", "<img ", "![aaaaaaaaaaaaaaaaaaa"])(
  "a megabyte of %j takes no time to speak of",
  (unit) => {
    const text = unit.repeat(1_000_000 / unit.length)
    const start = performance.now()
    markdown(text)
    plain(text)
    expect(performance.now() - start).toBeLessThan(4_000)
  },
)
