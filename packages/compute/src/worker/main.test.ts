import { expect, test } from "vitest"
import { createCompute } from "../create-compute.js"

test("a page that asks for scripts in Chinese or Korean is recognised", async () => {
  const compute = createCompute()
  const signal = new AbortController().signal
  const convert = (words: string) =>
    compute.convertHtml(`<p>${words}</p><script></script>`, { url: "https://x.test/", to: "text", part: "all", signal })
  try {
    const rest = "，然后继续浏览本页面的全部内容，谢谢您的配合与理解，祝您愉快"
    expect((await convert(`请启用 JavaScript${rest}`)).needsScript).toBe(true)
    expect((await convert(`JavaScript 필요${rest}`)).needsScript).toBe(true)
    expect((await convert(`关于 JavaScript${rest}`)).needsScript).toBe(false)
  } finally {
    await compute.close()
  }
})
