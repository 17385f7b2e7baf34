import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { noBrowser, seen, TestBrowser, TestServer } from "./page.js"

const calls = 2500

describe.skipIf(noBrowser)(`a long session${noBrowser ? `: ${noBrowser}` : ""}`, () => {
  const server = new TestServer()
  let browser: TestBrowser
  let session = ""

  beforeAll(async () => {
    await server.start()
    browser = await TestBrowser.open()
    const { id } = await server.request<{ id: string }>("POST", "/api/sessions", {})
    session = id
    // Each call is four events: called, started, ended, and what it was asked for.
    for (let done = 0; done < calls; done += 25) {
      await Promise.all(
        Array.from({ length: 25 }, (_, index) =>
          server.request("POST", `/api/sessions/${id}/calls`, {
            tool: "calculator",
            args: { expression: `${done + index} + 1` },
          }),
        ),
      )
    }
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await server.close()
  })

  test("10,000 events scroll as a few rows, and what is drawn stays small", { timeout: 90_000 }, async () => {
    const page = await browser.page(server, `/sessions/${session}`)
    const list = page.getByRole("region", { name: "Calls" })
    await seen(() => list.count()).toBe(1)
    await seen(() => list.locator("button").count()).toBeGreaterThan(3)
    const slider = page.getByRole("slider")
    // In pages: what is there can be used at once.
    await seen(() => slider.getAttribute("aria-valuemax")).toBe(String(calls))
    const rows: number[] = []
    for (const place of [0, 0.25, 0.5, 0.75, 1]) {
      await list.evaluate((element, place) => {
        element.scrollTop = element.scrollHeight * place
      }, place)
      await page.waitForTimeout(100)
      rows.push(await list.locator("button").count())
    }
    expect(Math.max(...rows)).toBeLessThan(80)
    await slider.focus()
    await page.keyboard.press("End")
    await seen(() => slider.getAttribute("aria-valuenow")).toBe(String(calls))
    expect(await page.locator("*").count()).toBeLessThan(3000)
    await page.goto(`${server.origin}/chat/${session}`)
    await seen(() => page.getByRole("log").locator("article").count()).toBeGreaterThan(0)
    expect(await page.getByRole("log").locator("article").count()).toBeLessThan(60)
    const devtools = await browser.context.newCDPSession(page)
    const { usedSize } = (await devtools.send("Runtime.getHeapUsage")) as { usedSize: number }
    expect(usedSize).toBeLessThan(150_000_000)
    expect(browser.problems).toEqual([])
    await page.close()
  })
})
