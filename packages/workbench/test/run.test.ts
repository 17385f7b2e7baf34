import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { noBrowser, seen, TestBrowser, TestServer } from "./page.js"

describe.skipIf(noBrowser)(`the page runs tools${noBrowser ? `: ${noBrowser}` : ""}`, () => {
  const server = new TestServer(["--root", "."])
  let browser: TestBrowser

  beforeAll(async () => {
    server.write("notes.txt", "one TODO here\nand nothing there\n")
    await server.start()
    browser = await TestBrowser.open()
  })
  afterAll(async () => {
    await browser?.close()
    await server.close()
  })

  const run = (page: Page) => page.getByRole("button", { name: "Run", exact: true }).click()
  const open = (tool: string, args: unknown) =>
    browser.page(server, `/run/${tool}?args=${encodeURIComponent(JSON.stringify(args))}`)

  test("a tool is run by its form, and the verdict is there before", async () => {
    const page = await browser.page(server)
    const judged: unknown[] = []
    page.on("request", (request) => {
      if (request.url().endsWith("/explain")) judged.push(request.postDataJSON())
    })
    await page.getByRole("link", { name: "Search in files" }).click()
    await page.getByLabel("pattern").fill("TODO")
    await seen(() => page.getByLabel("Before you run").textContent()).toContain("It runs at once.")
    expect(judged).toEqual([{ tool: "grep", args: { pattern: "TODO" } }])
    await run(page)
    await seen(() => page.getByRole("region", { name: "Result" }).textContent()).toContain("notes.txt")
    await page.getByRole("tab", { name: "Model sees" }).click()
    await seen(() => page.getByRole("tabpanel", { name: "Model sees" }).textContent()).toContain("one TODO here")
    await page.getByRole("tab", { name: "Envelope" }).click()
    await seen(() => page.getByRole("region", { name: "JSON" }).textContent()).toContain('"type": "output"')
    expect(new URL(page.url()).pathname).toBe("/run/grep")
    await page.close()
  })

  test("form and JSON are kept in step, and what is no JSON is said", async () => {
    const page = await browser.page(server, "/run/grep")
    await page.getByLabel("pattern").fill("abc")
    await page.getByRole("tab", { name: "JSON" }).click()
    const json = page.getByLabel("Arguments as JSON")
    expect(JSON.parse(await json.inputValue())).toEqual({ pattern: "abc" })
    await json.fill('{"pattern": ')
    await seen(() => page.getByText("This is no JSON yet").count()).toBe(1)
    expect(await page.getByRole("button", { name: "Run", exact: true }).isDisabled()).toBe(true)
    await json.fill('{"pattern": "xyz"}')
    await page.getByRole("tab", { name: "Form" }).click()
    expect(await page.getByLabel("pattern").inputValue()).toBe("xyz")
    await seen(() => new URL(page.url()).searchParams.get("args")).toBe('{"pattern": "xyz"}')
    await page.close()
  })

  test("an ask is approved, and the file is there", async () => {
    const page = await open("write", { file_path: "made.txt", content: "made by hand\n" })
    await seen(() => page.getByLabel("Before you run").textContent()).toContain("You will be asked")
    await run(page)
    const ask = page.getByRole("alertdialog")
    await seen(() => page.title()).toBe("(1) Haft")
    expect(await ask.textContent()).toContain("Why you are asked")
    await ask.getByRole("button", { name: "Allow once" }).click()
    await seen(() => page.getByRole("article").getAttribute("data-phase")).toBe("ok")
    expect(server.read("made.txt")).toBe("made by hand\n")
    await seen(() => page.title()).toBe("Haft")
    await page.close()
  })

  test("an ask is rejected with a reason, which the model reads", async () => {
    const page = await open("write", { file_path: "never.txt", content: "x" })
    await run(page)
    const ask = page.getByRole("alertdialog")
    await ask.getByPlaceholder(/reason/i).fill("not in this folder")
    await ask.getByRole("button", { name: "Reject" }).click()
    await seen(() => page.getByRole("article").getAttribute("data-phase")).toBe("denied")
    await page.getByRole("tab", { name: "Model sees" }).click()
    await seen(() => page.getByRole("tabpanel", { name: "Model sees" }).textContent()).toContain("not in this folder")
    expect(() => server.read("never.txt")).toThrow()
    await page.close()
  })

  test("the arguments are changed before the call runs, and it is asked about again", async () => {
    const page = await open("write", { file_path: "first.txt", content: "one" })
    await run(page)
    const ask = page.getByRole("alertdialog")
    await ask.getByRole("button", { name: "Change the arguments" }).click()
    await ask.getByLabel("file_path").fill("second.txt")
    await ask.getByRole("button", { name: "Run with changes" }).click()
    await seen(() => ask.textContent()).toContain("second.txt")
    await ask.getByRole("button", { name: "Allow once" }).click()
    await seen(() => page.getByRole("article").getAttribute("data-phase")).toBe("ok")
    expect(server.read("second.txt")).toBe("one")
    expect(() => server.read("first.txt")).toThrow()
    await page.close()
  })

  test("a denied call says which rule denies it, and nothing runs", async () => {
    server.write(".env", "SECRET=1\n")
    const page = await open("read", { file_path: ".env" })
    await seen(() => page.getByLabel("Before you run").textContent()).toContain("fs.read(**/.env)")
    await run(page)
    await seen(() => page.getByRole("article").getAttribute("data-phase")).toBe("denied")
    await page.close()
  })

  test("every run but the first goes on in the events of the session where the last one was", async () => {
    const alone = await TestBrowser.open()
    const asked: string[] = []
    alone.context.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (/sessions\/.*\/events$/.test(pathname)) asked.push(searchParams.has("from") ? "cursor" : "beginning")
    })
    const page = await alone.page(server, `/run/grep?args=${encodeURIComponent('{"pattern":"TODO"}')}`)
    const runs = async (count: number) => {
      await run(page)
      await seen(() => page.getByRole("article").getAttribute("data-phase")).toBe("ok")
      await page.getByRole("tab", { name: "Events" }).click()
      // The last event of this call, and none of another one.
      await seen(() => page.getByRole("region", { name: "JSON" }).textContent()).toContain("tool-end")
      expect((await page.getByRole("region", { name: "JSON" }).textContent())!.match(/"tool-call"/g)).toHaveLength(1)
      await page.getByRole("tab", { name: "Result" }).click()
      expect(asked).toHaveLength(count)
    }
    await runs(1)
    await runs(2)
    await page.getByRole("link", { name: "Find files glob" }).click()
    await page.getByLabel("pattern").fill("**/*")
    await runs(3)
    expect(asked).toEqual(["beginning", "cursor", "cursor"])
    await alone.close()
  })

  test("the call is copied as the command line writes it", async () => {
    const page = await open("grep", { pattern: "it's", context: 2 })
    await page.getByRole("button", { name: "Copy as" }).click()
    await page.getByRole("menuitem", { name: "CLI" }).click()
    await seen(() => page.evaluate(() => navigator.clipboard.readText())).toBe(
      "haft call grep 'pattern=it'\\''s' context:=2",
    )
    await page.close()
  })

  test("nothing was refused by the policy and no script failed", () => {
    expect(browser.problems).toEqual([])
  })
})
