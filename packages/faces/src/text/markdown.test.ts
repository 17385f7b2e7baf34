import fc from "fast-check"
import { expect, test } from "vitest"
import { type Block, type Inline, parseMarkdown } from "./markdown.js"

test("blocks of all kinds", () => {
  const text =
    "# Title\n\nSome *words* and **more**\n\n- one\n- two\n  - deep\n\n1. first\n\n> said\n\n```ts\nconst a = 1\n```\n\n---\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
  expect(parseMarkdown(text).map(({ type }) => type)).toEqual([
    ...["heading", "paragraph", "list", "list", "quote", "code", "rule", "table"],
  ])
  expect(parseMarkdown("```ts\nconst a = 1\n```")).toEqual([{ type: "code", language: "ts", text: "const a = 1" }])
  const [list] = parseMarkdown("- one\n- two\n  - deep")
  expect(list).toMatchObject({ type: "list", ordered: false, items: [[{}], [{}, { type: "list" }]] })
})

test("links, images and bare addresses", () => {
  expect(inlineOf("see [here](https://a.example/x)")).toEqual([
    { type: "text", text: "see " },
    { type: "link", address: "https://a.example/x", inline: [{ type: "text", text: "here" }] },
  ])
  expect(inlineOf("![logo](https://a.example/l.png)")).toEqual([
    { type: "image", address: "https://a.example/l.png", text: "logo" },
  ])
  expect(inlineOf("https://a.example")).toMatchObject([{ type: "link", address: "https://a.example" }])
})

test("HTML is text, whatever it says", () => {
  const text = '<script>alert(1)</script> <img src=x onerror="x">'
  expect(inlineOf(text)).toEqual([{ type: "text", text }])
})

function inlineOf(text: string): readonly Inline[] {
  const [block] = parseMarkdown(text)
  return block?.type === "paragraph" ? block.inline : []
}

const markdownish = fc
  .array(
    fc.constantFrom(
      "# ",
      "- ",
      "> ",
      "1. ",
      "**",
      "_",
      "`",
      "```\n",
      "[",
      "](",
      ")",
      "|",
      "\n",
      "\n\n",
      "  ",
      "~~",
      "!",
      "\\",
      "word",
      "é",
      "<b>",
    ),
    {
      maxLength: 60,
    },
  )
  .map((pieces) => pieces.join(""))

test("no letter of a text is lost, and nothing throws", () => {
  fc.assert(
    fc.property(fc.oneof(markdownish, fc.string({ maxLength: 200 })), (text) => {
      const letters = (value: string) => (value.match(/word|é/g) ?? []).length
      expect(letters(wordsOf(parseMarkdown(text)))).toBe(letters(text))
    }),
    { numRuns: 2000 },
  )
})

test("hostile repetition stays quick", () => {
  const started = performance.now()
  for (const unit of ["`", "*", "[", "[a](", "**a ", "> ", "- ", "|-", "_a ", "![", "<http://", "~~a"]) {
    parseMarkdown(unit.repeat(20_000))
  }
  expect(performance.now() - started).toBeLessThan(10_000)
})

/** Every letter of a tree: its texts, addresses and the language of code. */
function wordsOf(blocks: readonly Block[]): string {
  return JSON.stringify(blocks, (key, value) => (key === "type" ? undefined : value))
}
