import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { noBrowser, seen, TestBrowser, TestServer } from "./page.js"

const markup = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script><b>bold</b>'
const bidi = "safe \u202e gpj.exe \u2066 hidden \u0007 end"

describe.skipIf(noBrowser)(`hostile output${noBrowser ? `: ${noBrowser}` : ""}`, () => {
  const server = new TestServer(["--root", "."])
  let browser: TestBrowser

  beforeAll(async () => {
    server.write("markup.html", `${markup}\n`)
    server.write("bidi.txt", `${bidi}\n`)
    server.write("line.txt", "x".repeat(5_000_000))
    server.write("picture.png", "this is no picture")
    server.write("link.md", "[click](javascript:window.hacked=1) ![far](http://127.0.0.1:9/pixel.png)\n")
    await server.start()
    browser = await TestBrowser.open()
  })
  afterAll(async () => {
    await browser?.close()
    await server.close()
  })

  const reading = (file: string) => `/run/read?args=${encodeURIComponent(JSON.stringify({ file_path: file }))}`

  test.each(["markup.html", "bidi.txt", "line.txt", "picture.png", "link.md"])(
    "%s is shown as text in every view, and nothing of it runs",
    async (file) => {
      const page = await browser.page(server, reading(file))
      const elsewhere: string[] = []
      page.on("request", (request) => {
        if (!request.url().startsWith(server.origin) && !request.url().startsWith("data:"))
          elsewhere.push(request.url())
      })
      await page.getByRole("button", { name: "Run", exact: true }).click()
      await seen(() => page.getByRole("article").getAttribute("data-phase")).toMatch(/ok|error/)
      for (const view of ["Model sees", "Envelope", "Events", "Result"]) {
        await page.getByRole("tab", { name: view, exact: true }).click()
        await page.getByRole("tabpanel", { name: view, exact: true }).waitFor()
        expect(await page.evaluate(() => "hacked" in window)).toBe(false)
        expect(await page.locator("main img[src=x], main script, main iframe").count()).toBe(0)
      }
      expect(elsewhere).toEqual([])
      await page.close()
    },
  )

  test("characters that change the order of a text are shown by name", async () => {
    const page = await browser.page(server, reading("bidi.txt"))
    await page.getByRole("button", { name: "Run", exact: true }).click()
    await seen(() => page.getByRole("article").getAttribute("data-phase")).toBe("ok")
    const text = await page.getByRole("article").textContent()
    expect(text).toContain("safe")
    expect(text).not.toContain("\u202e")
    await page.close()
  })

  test("what is hidden in names and arguments is written out in lists and errors too", async () => {
    const turned = "safe\u202egpj"
    const { id } = await server.request<{ id: string }>("POST", "/api/sessions", {})
    // Such an argument is asked about; however it ends, it is in the record.
    const call = server.request("POST", `/api/sessions/${id}/calls`, { tool: "read", args: { file_path: turned } })
    await seen(async () => (await server.request<{ id: string }[]>("GET", "/api/asks")).length).toBe(1)
    const [ask] = await server.request<{ id: string }[]>("GET", "/api/asks")
    await server.request("POST", `/api/asks/${ask!.id}`, { answer: "reject" })
    await call
    const page = await browser.page(server, `/sessions/${id}`)
    await seen(() => page.getByRole("navigation", { name: "Calls" }).textContent()).toContain("safe[U+202E]gpj")
    for (const tab of ["Call", "Decision", "Model sees", "Record"]) {
      await page.getByRole("tab", { name: tab }).click()
      await page.getByRole("tabpanel", { name: tab }).waitFor()
      expect(await page.evaluate(() => document.body.innerHTML.includes("\u202e"))).toBe(false)
    }
    await page.goto(`${server.origin}/sessions/${encodeURIComponent(turned)}`)
    await seen(() => page.getByRole("alert").textContent()).toContain("safe[U+202E]gpj")
    await page.goto(`${server.origin}/run/${encodeURIComponent(turned)}`)
    await seen(() => page.getByRole("main").textContent()).toContain("safe[U+202E]gpj")
    expect(await page.evaluate(() => document.body.innerHTML.includes("\u202e"))).toBe(false)
    await page.close()
  })

  test("an address that carries hostile arguments fills the form and runs nothing", async () => {
    const page = await browser.page(server, `/run/bash?args=${encodeURIComponent(JSON.stringify({ command: markup }))}`)
    await seen(() => page.getByLabel("command").inputValue()).toBe(markup)
    expect(await page.evaluate(() => "hacked" in window)).toBe(false)
    await page.close()
  })

  test("no script failed on any of these pages", () => {
    expect(browser.problems).toEqual([])
  })
})
