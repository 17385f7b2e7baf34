import { join, resolve } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { noBrowser, seen, TestBrowser, TestServer } from "./page.js"

const modules = resolve(import.meta.dirname, "../../../node_modules")
const script = join(modules, "@modelcontextprotocol/server-everything/dist/index.js")

describe.skipIf(noBrowser)(`an MCP server on the page${noBrowser ? `: ${noBrowser}` : ""}`, () => {
  const server = new TestServer(["--root", "."])
  let browser: TestBrowser

  beforeAll(async () => {
    const every = { command: process.execPath, args: [script], readable: [modules] }
    server.write(".mcp.json", JSON.stringify({ mcpServers: { every } }))
    await server.start()
    browser = await TestBrowser.open()
  })
  afterAll(async () => {
    await browser?.close()
    await server.close()
  })

  test("it is reviewed and trusted; then its tools are there, and a call asks and runs", {
    timeout: 90_000,
  }, async () => {
    // The session of this browser is open before the server is trusted.
    const page = await browser.page(server, `/run/ls?args=${encodeURIComponent('{"path":"."}')}`)
    await page.getByRole("button", { name: "Run", exact: true }).click()
    await seen(() => page.getByRole("article").getAttribute("data-phase")).toBe("ok")
    expect(await page.getByText("mcp__every__echo").count()).toBe(0)
    await page.getByRole("link", { name: "Servers", exact: true }).click()
    const card = page.getByRole("article")
    await seen(() => card.textContent()).toContain(script)
    expect(await card.getByRole("button", { name: "Trust" }).count()).toBe(0)
    await card.getByRole("button").first().click()
    await seen(() => card.textContent(), 30_000).toContain("Echoes back the input")
    await card.getByRole("button", { name: /trust/i }).click()
    await seen(() => card.textContent()).toContain("trusted")
    // Without a reload: the catalogue is asked for again.
    await page.getByRole("link", { name: "Run", exact: true }).click()
    await page.getByPlaceholder("Filter tools").fill("mcp__every__echo")
    await page.getByRole("link", { name: /echo/i }).first().click()
    await page.getByLabel("message").fill("hello from the page")
    await seen(() => page.getByRole("region", { name: "Before you run" }).textContent()).toContain("You will be asked")
    await page.getByRole("button", { name: "Run", exact: true }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Allow once" }).click()
    await seen(() => page.getByRole("article").getAttribute("data-phase"), 30_000).toBe("ok")
    expect(await page.getByRole("article").textContent()).toContain("Echo: hello from the page")
    expect(browser.problems).toEqual([])
    await page.close()
  })
})
