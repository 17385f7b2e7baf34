import { afterEach, expect, test } from "vitest"
import { createCompute } from "./create-compute.js"

const compute = createCompute()
afterEach(() => compute.close())

const convert = (html: string) =>
  compute.convertHtml(html, { url: "https://x.test/", to: "text", part: "all", signal: new AbortController().signal })

test("references become their characters, those that are markup or old habits too", async () => {
  const { text } = await convert(
    "<p>&#20320;&#x597d;&#128512; a&nbsp;b &#60;i&#62; &lt;b&gt; &amp;#20320; &#147;q&#148; &#xd800;",
  )
  expect(text.replaceAll("\u00a0", " ")).toBe("你好😀 a b <i> <b> &#20320; “q” \ufffd")
})

test("a page that writes every letter as a reference is read", { timeout: 60_000 }, async () => {
  const { text } = await convert(`<p>${"&#20320;&#x597d;".repeat(150_000)}`)
  expect(text).toBe("你好".repeat(150_000))
})

// Its tree would be larger than the memory of the thread, and a thread that dies of that can take the process with it.
test("a page of nothing but references is too large, and the next page is read", { timeout: 60_000 }, async () => {
  await expect(convert("&amp;&#x41;".repeat(450_000))).rejects.toMatchObject({ code: "too_large" })
  expect((await convert("<p>alive")).text).toBe("alive")
})
