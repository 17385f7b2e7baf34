import type { ApiTool } from "@haft/contract"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { seriousIssues } from "./axe.js"
import { noBrowser, seen, TestBrowser, TestServer } from "./page.js"

const states = [
  "args-streaming",
  "pending",
  "awaiting-approval",
  "running",
  "ok",
  "truncated",
  "error",
  "denied",
  "aborted",
  "replayed",
  "portal",
]

describe.skipIf(noBrowser)(`the gallery${noBrowser ? `: ${noBrowser}` : ""}`, () => {
  const server = new TestServer(["--demo", "--toolset", "all"])
  let browser: TestBrowser

  beforeAll(async () => {
    await server.start()
    browser = await TestBrowser.open()
  })
  afterAll(async () => {
    await browser?.close()
    await server.close()
  })

  test("every tool is drawn in every state without an error or a serious issue", { timeout: 800_000 }, async () => {
    const tools = await server.request<ApiTool[]>("GET", "/api/tools")
    expect(tools.length).toBeGreaterThan(35)
    const page = await browser.page(server, "/gallery")
    const drawn = page.locator("[data-state]")
    const found: string[] = []
    for (const { id } of tools) {
      await page.locator(`nav a[href="/gallery/${id}"]`).click()
      await seen(() => page.locator("h2 code").textContent()).toBe(id)
      await seen(() => drawn.evaluateAll((all) => all.map((one) => one.getAttribute("data-state")))).toEqual(states)
      // Every story has its header, in whatever state.
      expect(await drawn.locator(".haft-inspector").count()).toBe(states.length)
      found.push(...(await seriousIssues(page, "[data-stories]")).map((issue) => `${id} ${issue}`))
    }
    await page.close()
    expect(found).toEqual([])
    expect(browser.problems).toEqual([])
  })
})
