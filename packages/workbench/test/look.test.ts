import { gzipSync } from "node:zlib"
import type { Page, Response } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { seriousIssues } from "./axe.js"
import { noBrowser, seen, TestBrowser, TestServer } from "./page.js"

describe.skipIf(noBrowser)(`how the page looks${noBrowser ? `: ${noBrowser}` : ""}`, () => {
  const server = new TestServer()
  let browser: TestBrowser
  let session = ""

  beforeAll(async () => {
    await server.start()
    browser = await TestBrowser.open()
    const { id } = await server.request<{ id: string }>("POST", "/api/sessions", {})
    session = id
    await server.request("POST", `/api/sessions/${id}/calls`, { tool: "grep", args: { pattern: "discount" } })
    await server.request("POST", `/api/sessions/${id}/calls`, { tool: "read", args: { file_path: ".env" } })
  })
  afterAll(async () => {
    await browser?.close()
    await server.close()
  })

  const screens = () => [
    "/run",
    `/run/grep?args=${encodeURIComponent('{"pattern":"x"}')}`,
    "/run/edit?view=json",
    "/run/nothing",
    "/chat",
    `/chat/${session}`,
    "/sessions",
    `/sessions/${session}`,
    `/sessions/${session}?tab=decision`,
    `/permissions?tool=bash&args=${encodeURIComponent('{"command":"git push"}')}`,
    "/servers",
    "/skills",
    "/sandbox",
    "/settings",
    "/nowhere",
  ]

  test("the first screen loads little before the catalogue is drawn", async () => {
    const page = await browser.context.newPage()
    const loaded = { script: 0, stylesheet: 0 }
    const bodies: Promise<void>[] = []
    const listen = (response: Response) => {
      const kind = response.request().resourceType() as keyof typeof loaded
      if (!(kind in loaded)) return
      bodies.push(
        response.body().then((body) => {
          loaded[kind] += gzipSync(body).length
        }),
      )
    }
    page.on("response", listen)
    await page.goto(`${server.origin}/run#token=${"0123456789abcdef".repeat(4)}`)
    await page.getByRole("link", { name: "Search in files" }).waitFor()
    page.off("response", listen)
    await Promise.all(bodies)
    await page.close()
    expect(loaded.script).toBeGreaterThan(50_000)
    expect(loaded.script).toBeLessThan(250_000)
    expect(loaded.stylesheet).toBeGreaterThan(5_000)
    expect(loaded.stylesheet).toBeLessThan(45_000)
  })

  test("axe finds nothing serious on any screen, in both themes", { timeout: 300_000 }, async () => {
    const page = await browser.page(server)
    const found: string[] = []
    for (const path of screens()) {
      await open(page, server.origin + path)
      found.push(...(await seriousIssues(page)).map((issue) => `${path} ${issue}`))
    }
    await page.keyboard.press("Control+k")
    await page.getByRole("combobox").waitFor()
    found.push(...(await seriousIssues(page)).map((issue) => `palette ${issue}`))
    await page.keyboard.press("Escape")
    await page.getByRole("combobox").waitFor({ state: "detached" })
    await page.keyboard.press("?")
    await page.getByRole("dialog").waitFor()
    found.push(...(await seriousIssues(page)).map((issue) => `keys ${issue}`))
    const args = encodeURIComponent(JSON.stringify({ file_path: "new.txt", content: "x" }))
    await open(page, `${server.origin}/run/write?args=${args}`)
    await page.getByRole("button", { name: "Run", exact: true }).click()
    await page.getByRole("alertdialog").waitFor()
    found.push(...(await seriousIssues(page)).map((issue) => `ask ${issue}`))
    await open(page, `${server.origin}/settings`)
    await page.getByRole("button", { name: /Inbox/ }).click()
    await page.getByRole("alertdialog").first().waitFor()
    found.push(...(await seriousIssues(page)).map((issue) => `inbox ${issue}`))
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Theme and language" }).click()
    await page.getByRole("menuitem", { name: "Dark" }).waitFor()
    found.push(...(await seriousIssues(page)).map((issue) => `menu ${issue}`))
    await page.setViewportSize({ width: 390, height: 844 })
    await open(page, `${server.origin}/chat/${session}`)
    await page.getByRole("button", { name: "More" }).click()
    await page.getByRole("menuitem", { name: "Settings" }).waitFor()
    found.push(...(await seriousIssues(page)).map((issue) => `phone ${issue}`))
    const alone = await TestBrowser.open()
    const locked = await alone.context.newPage()
    await locked.goto(server.origin)
    await locked.getByLabel("Address or token").waitFor()
    found.push(...(await seriousIssues(locked)).map((issue) => `token ${issue}`))
    await alone.close()
    await page.close()
    expect(found).toEqual([])
  })

  test("at 320 pixels every screen reflows: nothing scrolls sideways", { timeout: 90_000 }, async () => {
    const page = await browser.page(server)
    await page.setViewportSize({ width: 320, height: 640 })
    const wide: string[] = []
    for (const path of [...screens(), "/gallery/edit"]) {
      await open(page, server.origin + path)
      const width = await page.evaluate(() => {
        const main = document.querySelector("main")!
        return Math.max(document.documentElement.scrollWidth, main.scrollWidth)
      })
      if (width > 320) wide.push(`${path}: ${width}`)
    }
    await page.close()
    expect(wide).toEqual([])
  })

  test("reduced motion is honoured, and the focus is visible", async () => {
    const page = await browser.page(server)
    await page.emulateMedia({ reducedMotion: "reduce" })
    await page.getByRole("link", { name: "Search in files" }).focus()
    await page.keyboard.press("ArrowDown")
    const look = await page.evaluate(() => {
      const { outlineStyle, outlineWidth, transitionDuration } = getComputedStyle(document.activeElement!)
      return { outlineStyle, outlineWidth, transitionDuration }
    })
    expect(look.outlineStyle).toBe("solid")
    expect(look.outlineWidth).toBe("2px")
    expect(Number.parseFloat(look.transitionDuration)).toBeLessThan(0.001)
    await page.close()
  })

  test("nothing was refused by the policy and no script failed", () => {
    expect(browser.problems).toEqual([])
  })
})

/** Goes there inside the page, and waits until nothing is loading any more. */
async function open(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.getByRole("heading", { level: 1 }).waitFor()
  await seen(() => page.locator("main [role=status][aria-label=Loading]").count()).toBe(0)
}
