import type { ConvertHtmlOptions } from "@haft/contract"
import fc from "fast-check"
import { afterAll, describe, expect, test } from "vitest"
import { createCompute } from "./create-compute.js"

const compute = createCompute()
const signal = new AbortController().signal
afterAll(() => compute.close())

const convert = (html: string, options: Partial<ConvertHtmlOptions> = {}) =>
  compute.convertHtml(html, {
    url: "https://example.org/dir/page?x=1",
    to: "markdown",
    part: "all",
    signal,
    ...options,
  })
const markdown = async (html: string) => (await convert(html)).text
const plain = async (html: string) => (await convert(html, { to: "text" })).text

describe("markdown", () => {
  test.each([
    ["<h1>One <em>two</em></h1><h3>Three</h3>", "# One *two*\n\n### Three"],
    ["<p>a</p><p>b<br>c</p>", "a\n\nb  \nc"],
    ["a<br><br>b", "a\n\nb"],
    ["<p>x<b> bold </b>y <strong></strong><del>z</del></p>", "x **bold** y ~~z~~"],
    ["<b>one<p>two</b>", "**one**\n\n**two**"],
    ["<ul><li>a<ul><li>b</li></ul></li><li><p>c</p><p>d</p></li></ul>", "- a\n  - b\n- c\n\n  d"],
    ["<ol start=9><li>a<li>b</ol>", "9. a\n10. b"],
    ["<ul><li><input type=checkbox checked> done<li><input type=checkbox>todo</ul>", "- [x] done\n- [ ] todo"],
    ["<blockquote><p>a</p><p>b</p></blockquote>c", "> a\n>\n> b\n\nc"],
    ["<dl><dt>t</dt><dd>d</dd></dl>", "t\n: d"],
    ["a<hr>b", "a\n\n---\n\nb"],
    ["x <code>a`b</code> <kbd> </kbd>y", "x ``a`b`` y"],
    ["<pre>a\n  b &lt; c\n</pre>", "```\na\n  b < c\n```"],
    ['<pre><code class="hljs language-js">let a</code></pre>', "```js\nlet a\n```"],
    ['<div class="highlight-source-rust"><pre>fn</pre></div>', "```rust\nfn\n```"],
    ["<pre>```\nx</pre>", "````\n```\nx\n````"],
    ["<ul><li>a<pre>b\n\nc</pre></ul>", "- a\n\n  ```\n  b\n\n  c\n  ```"],
    ["<p>10<sup>6</sup>, H<sub>2</sub>O, 1<sup>st</sup></p>", "10^6, H2O, 1st"],
    ["<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢(kan)"],
    ['<math alttext="{\\displaystyle x^2}"><mi>x</mi></math>', "$x^2$"],
    ["caf&eacute; &amp;&nbsp;&copy; &bogus; &#x41;&#66; soft&shy;hyphen", "café & © &bogus; AB softhyphen"],
    [
      "1 * 2 *x* snake_case _y_ `q` [z] &lt;div> a&lt;b",
      "1 * 2 \\*x\\* snake_case \\_y\\_ \\`q\\` \\[z\\] \\<div> a\\<b",
    ],
    ["<p># a</p><p>- b</p><p>1. c</p><p>> d</p>", "\\# a\n\n\\- b\n\n1\\. c\n\n\\> d"],
    ["<iframe src=/v title=Film></iframe>", "[Film](https://example.org/v)"],
    ["<constructor>a</constructor> <tostring>b</tostring>", "a b"],
  ])("%s", async (html, expected) => {
    expect(await markdown(html)).toBe(expected)
  })

  test("links and images are absolute, the base of the page honoured", async () => {
    expect(await markdown('<a href="a b?c#d">x</a> <a href="#top">y</a> <img src=i.png alt="a [b]">')).toBe(
      "[x](https://example.org/dir/a%20b?c#d) [y](#top) [image: a \\[b\\]](https://example.org/dir/i.png)",
    )
    const based = '<base href="//other.org/b/"><a href="w_(x)">x</a><a href="y)">y</a>'
    expect(await markdown(based)).toBe("[x](https://other.org/b/w_(x))[y](https://other.org/b/y%29)")
    expect(await markdown('<a href="javascript:alert(1)">x</a> <a href="data:text/html,y">y</a>')).toBe("x y")
    expect(await markdown('<img src="data:image/png;base64,AA" data-src="/late.png" alt="z">')).toBe(
      "[image: z](https://example.org/late.png)",
    )
    expect(await markdown('<img src="data:image/png;base64,AA" alt="only words"><img src=/p.gif width=1>')).toBe(
      "only words",
    )
  })

  test("an image is a link, so that nothing loads it by itself", async () => {
    const page =
      '<p><img src="https://x.test/?leak=1"> <a href="/to"><img src=/logo.png alt=Logo></a> ![t](https://x.test)</p>'
    expect(await markdown(page)).toBe(
      "[image](https://x.test/?leak=1) [image: Logo](https://example.org/to) !\\[t\\](https://x.test)",
    )
  })

  test("a link around blocks stays a link in each of them", async () => {
    expect(await markdown('<a href="/c"><h3>Card</h3><p>text</p></a>')).toBe(
      "### [Card](https://example.org/c)\n\n[text](https://example.org/c)",
    )
    expect(await markdown('<h2>Title<a href="#title" class=anchor>¶</a></h2>')).toBe("## Title")
  })

  test("tables of data are tables, others are their content", async () => {
    const data =
      "<table><caption>C</caption><thead><tr><th>A</th><th>B</th></tr></thead><tr><td>1|2</td><td rowspan=2><p>x</p><p>y</p></td></tr><tr><td>3</td></tr></table>"
    expect(await markdown(data)).toBe("C\n\n| A | B |\n| --- | --- |\n| 1\\|2 | x<br>y |\n| 3 |")
    expect(await markdown("<table><tr><td>a<td>b<tr><td colspan=2>c</table>")).toBe(
      "|  |  |\n| --- | --- |\n| a | b |\n| c |  |",
    )
    expect(await markdown("<table><tr><td><table><tr><td>a<td>b</table><td><h2>c</h2></table>")).toBe(
      "|  |  |\n| --- | --- |\n| a | b |\n\n## c",
    )
    expect(await plain(data)).toBe("C\n\nA | B\n1|2 | x y\n3")
  })

  test("what is not shown is not written", async () => {
    const html =
      "<title>T</title><style>a{}</style><script>if (a < b) '<p>no</p>'</script><p hidden>h</p><p style='x:y; display:none'>n</p><template>t</template><svg><title>s</title></svg><!-- <p>c --><noscript>n</noscript><select><option>o</select><p>yes</p>"
    expect(await markdown(html)).toBe("yes")
  })
})

test("plain text has no signs of Markdown", async () => {
  const html =
    "<h1>One</h1><p>a <b>b</b> <a href=/c>c</a> *d* <img alt=pic src=/x></p><ul><li>e</ul><blockquote>f</blockquote><pre>g\n h</pre>"
  expect(await plain(html)).toBe("One\n\na b c *d* [pic]\n\n- e\n\nf\n\ng\n h")
})

describe("what a page says about itself", () => {
  test("the title", async () => {
    expect((await convert("<title> A &amp;\n B </title><p>x")).title).toBe("A & B")
    expect((await convert('<meta property="og:title" content="S"><p>x')).title).toBe("S")
    expect(await convert("<p>x")).not.toHaveProperty("title")
  })

  test.each([
    [`<meta http-equiv="refresh" content="0; URL='/next'">`, "https://example.org/next"],
    ['<meta http-equiv=Refresh content="3;url=next?a=b">', "https://example.org/dir/next?a=b"],
    ['<noscript><meta http-equiv=refresh content="0;url=/plain"></noscript>', "https://example.org/plain"],
    ['<meta http-equiv=refresh content="300; url=/later">', undefined],
    ['<meta http-equiv=refresh content="5">', undefined],
    ['<meta http-equiv=refresh content="0; url=javascript:alert(1)">', undefined],
    ['<meta http-equiv=refresh content="0; url=page?x=1#here">', undefined],
  ])("%s", async (html, refresh) => {
    expect((await convert(html)).refresh).toBe(refresh)
  })

  test("a page that its scripts would write is one that needs them", async () => {
    const app = (noscript: string, text = "") =>
      `<body><div id=root>${text}</div><noscript>${noscript}</noscript><script src=/a.js></script>`
    expect((await convert(app(""))).needsScript).toBe(true)
    expect(
      (await convert(app("You need to enable JavaScript to run this app.", "Loading ... ".repeat(5)))).needsScript,
    ).toBe(true)
    expect(
      (await convert(`<p>Please enable JavaScript and cookies to continue</p><script></script>`)).needsScript,
    ).toBe(true)
    expect((await convert(app("", "A page with some words of its own in it."))).needsScript).toBe(false)
    expect((await convert("<p>short")).needsScript).toBe(false)
    expect(
      (await convert(`<p>${"JavaScript must be enabled in many words. ".repeat(40)}</p><script></script>`)).needsScript,
    ).toBe(false)
  })
})

describe("the article of a page", () => {
  const words = (count: number) =>
    Array.from({ length: count }, (_, at) => `<p>Sentence ${at} of the story, which goes on for some words.</p>`).join(
      "",
    )
  const around = (article: string, navigation: number) =>
    `<html><head><title>T</title></head><body><nav>${"<a href=/n>Navigation</a> ".repeat(navigation)}</nav>${article}<aside>Related things</aside><footer>Copyright notice</footer></body></html>`

  test.each([
    ["small", 40, 20],
    ["large", 4_000, 3_000],
  ])("is taken out of a %s page", async (_, paragraphs, navigation) => {
    const { text, part } = await convert(around(`<main><article>${words(paragraphs)}</article></main>`, navigation), {
      part: "article",
    })
    expect(part).toBe("article")
    expect(text).toMatch(/^Sentence 0 .*\n\nSentence 1 /)
    expect(text).toContain(`Sentence ${paragraphs - 1} `)
    expect(text).not.toMatch(/Navigation|Related|Copyright/)
  })

  test("is found without landmarks", async () => {
    const { text, part } = await convert(around(`<div class=page><div>${words(4_000)}</div></div>`, 3_000), {
      part: "article",
    })
    expect(part).toBe("article")
    expect(text).toMatch(/^Sentence 0 /)
    expect(text).not.toMatch(/Navigation|Related|Copyright/)
  })

  test("code and tables in it survive", async () => {
    const { text } = await convert(
      around(
        `<article>${words(20)}<pre><code class="language-ts">const a = 1</code></pre><table><tr><th>A<th>B<tr><td>1<td>2</table></article>`,
        5,
      ),
      { part: "article" },
    )
    expect(text).toContain("```ts\nconst a = 1\n```")
    expect(text).toContain("| A | B |\n| --- | --- |\n| 1 | 2 |")
  })

  test("a page without one is given whole", async () => {
    const { text, part } = await convert("<nav><a href=/a>A</a></nav><p>Little text</p>", { part: "article" })
    expect([part, text]).toEqual(["all", "[A](https://example.org/a)\n\nLittle text"])
  })
})

describe("hostile pages", () => {
  test("20,000 nested elements are read", async () => {
    for (const name of ["div", "b", "ul", "blockquote", "table"]) {
      const html = `<html><body><p>before</p>${`<${name}>`.repeat(20_000)}deep${`</${name}>`.repeat(20_000)}<p>after</p></body></html>`
      for (const part of ["all", "article"] as const) {
        const { text } = await convert(html, { part })
        expect(text).toMatch(/before.*deep.*after/s)
      }
    }
  })

  test("paragraphs and entries without an end are not depth", async () => {
    expect(await markdown(`<ul>${"<li>x<p>y".repeat(3_000)}</ul>`)).toMatch(/^(- x\n\n {2}y\n?){3000}$/)
  })

  test.each([
    ["a megabyte of attributes", `<p ${"a=b ".repeat(262_144)}>text</p>`],
    ["many attributes of one element", `<p ${Array.from({ length: 9_000 }, (_, at) => `a${at}`).join(" ")}>text</p>`],
    ["an attribute that never ends", `<p>text</p><a b="${"x".repeat(1_000_000)}`],
    ["comments that never end", `text${"<!--".repeat(400_000)}`],
    ["drawings that never end", `${"<svg>".repeat(400_000)}text`],
    ["scripts that never end", `text${"<script>".repeat(200_000)}`],
    ["a base as long as the page", `<base href="/${"x".repeat(1_000_000)}">${"<a href=y>text</a>".repeat(1_000)}`],
    [
      "cells without number",
      `<table><tr><td colspan=999999999 rowspan=999999999>text<td>x${"<tr><td>y".repeat(2_000)}`,
    ],
    ["unclosed tags", "<div><p><b><i><a href=/x>text<table><tr><td"],
    ["broken entities", "text &#xD800; &#99999999; &#; &amp &notit; &lt"],
    ["a list of 20,000 entries", `<ol>${"<li>text".repeat(20_000)}</ol>`],
  ])("%s", async (_, html) => {
    expect(await plain(html)).toContain("text")
    expect((await convert(html, { part: "article" })).text).toContain("text")
  })

  test("more than can be held is too large", async () => {
    await expect(convert("x".repeat(5 * 1024 * 1024 + 1))).rejects.toMatchObject({ code: "too_large" })
    await expect(convert("<b>".repeat(1_000_000))).rejects.toMatchObject({ code: "too_large" })
    await expect(convert("<".repeat(5_000_000))).rejects.toMatchObject({ code: "too_large" })
  })

  test("random tags are read, whatever their order, and nothing is lost", async () => {
    const names = fc.constantFrom(
      ..."div p b i a ul ol li table tr td th thead pre code blockquote h1 dl dt dd br hr img svg math ruby rt select option title textarea script style noscript template html head body base meta form input iframe video q sup details summary".split(
        " ",
      ),
    )
    const attribute = fc.constantFrom(
      "",
      ' href="/x"',
      " hidden",
      ' style="display:none"',
      ' class="language-x gutter"',
      " colspan=3",
      ' src="y',
      " rowspan=0",
      " ='",
    )
    const tag = fc
      .tuple(fc.boolean(), names, attribute)
      .map(([closing, name, more]) => `<${closing ? "/" : ""}${name}${more}>`)
    const piece = fc.oneof(
      { weight: 4, arbitrary: tag },
      fc.constantFrom("word ", "&amp;", "<!--", "-->", "<", "]]>", "<![CDATA["),
      fc.string(),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 60 }), fc.constantFrom("all", "article"), async (pieces, part) => {
        const html = pieces.join("")
        const converted = await convert(html, { part, timeoutMs: 20_000 })
        expect(typeof converted.text).toBe("string")
        expect(converted.text).toBe(converted.text.trim())
        expect(typeof (await convert(html, { to: "text" })).text).toBe("string")
      }),
      { numRuns: 300 },
    )
  })

  test("words of shown elements are all there", async () => {
    const names = fc.constantFrom(
      "div",
      "p",
      "b",
      "a",
      "ul",
      "li",
      "table",
      "tr",
      "td",
      "h2",
      "blockquote",
      "span",
      "section",
    )
    const tree = fc.array(fc.tuple(names, fc.nat({ max: 3 })), { minLength: 1, maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(tree, async (openings) => {
        let html = ""
        const open: string[] = []
        openings.forEach(([name, close], at) => {
          html += `<${name}>w${at}x `
          open.push(name)
          for (let count = 0; count < close && open.length > 0; count += 1) html += `</${open.pop()}>`
        })
        const text = await plain(html)
        openings.forEach((_, at) => {
          expect(text).toContain(`w${at}x`)
        })
      }),
      { numRuns: 200 },
    )
  })
})
