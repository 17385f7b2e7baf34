import { afterAll, expect, test } from "vitest"
import { createCompute } from "./create-compute.js"

const compute = createCompute()
const signal = new AbortController().signal
afterAll(() => compute.close())

const page = `<!doctype html><html><body>
<div class="result"><h3><a href="/one?a=1&amp;b=2"> The <b>first</b>
 one </a></h3><p class="snippet">Some &lt;text&gt;<span hidden>no</span></p></div>
<div class="result result--ad" data-id="7"><h3><a>Second</a></h3></div>
<li class="result"><h3><a href="3">Third</a></h3></li></body></html>`

const fields = { title: "h3 a", url: "h3 a@href", snippet: ".snippet", id: "@data-id" }

test("one record for each element, with what it has", async () => {
  const rows = await compute.selectHtml(page, { row: "div.result, li.result", fields, maxRows: 10, signal })
  expect(rows).toEqual([
    { title: "The first one", url: "/one?a=1&b=2", snippet: "Some <text>" },
    { title: "Second", id: "7" },
    { title: "Third", url: "3" },
  ])
})

test("no more records than asked for, none where nothing fits", async () => {
  const select = (row: string, maxRows: number) =>
    compute.selectHtml(page, { row, fields: { text: "" }, maxRows, signal })
  expect(await select("h3", 2)).toEqual([{ text: "The first one" }, { text: "Second" }])
  expect(await select("article", 2)).toEqual([])
  expect(await select("h3", 0)).toEqual([])
})

test("a selector that is none is refused, a page that is too large too", async () => {
  const bad = compute.selectHtml(page, { row: "div[", fields, maxRows: 1, signal })
  await expect(bad).rejects.toMatchObject({ code: "invalid_args" })
  const large = compute.selectHtml("x".repeat(6 * 1024 * 1024), { row: "p", fields, maxRows: 1, signal })
  await expect(large).rejects.toMatchObject({ code: "too_large" })
})
