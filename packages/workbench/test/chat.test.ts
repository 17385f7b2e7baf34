import { readFileSync } from "node:fs"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { noBrowser, seen, TestBrowser, TestServer } from "./page.js"

describe.skipIf(noBrowser)(`conversations and sessions on the page${noBrowser ? `: ${noBrowser}` : ""}`, () => {
  const server = new TestServer()
  let browser: TestBrowser
  let tour = ""

  beforeAll(async () => {
    await server.start()
    browser = await TestBrowser.open()
  })
  afterAll(async () => {
    await browser?.close()
    await server.close()
  })

  const answer = (page: Page, name: string | RegExp) =>
    page.getByRole("main").getByRole("alertdialog").getByRole("button", { name }).click()

  test("the tour is walked: approval, live command, question, subagent, denial", { timeout: 120_000 }, async () => {
    const page = await browser.page(server)
    await page.getByRole("button", { name: "Watch the tour" }).click()
    await seen(() => new URL(page.url()).pathname).toMatch(/^\/chat\/ses_/)
    tour = new URL(page.url()).pathname.split("/")[2]!
    const asked = page.getByRole("main").getByRole("alertdialog")
    await seen(() => asked.textContent()).toContain("src/discount.js")
    await answer(page, "Allow once")
    await seen(() => asked.textContent()).toContain("node --test")
    await answer(page, "Allow once")
    await seen(() => asked.textContent()).toContain("How should amounts be written")
    await asked.getByText("9.00", { exact: true }).click()
    await asked.getByRole("button", { name: /send|answer|submit/i }).click()
    await seen(() => page.getByRole("log").textContent()).toContain("That was the tour")
    const panels = page.getByRole("complementary", { name: "Panels" })
    expect(await panels.textContent()).toContain("3/3")
    expect(await panels.textContent()).toContain("explore")
    await seen(() => panels.textContent()).toContain("src/discount.js")
    await page.close()
  })

  test("a server that was started again still shows the subagents of a conversation", { timeout: 60_000 }, async () => {
    const { port } = server
    await server.stop()
    await server.start(port)
    const page = await browser.page(server, `/chat/${tour}`)
    const panels = page.getByRole("complementary", { name: "Panels" })
    await seen(() => panels.getByRole("listitem").filter({ hasText: "explore" }).textContent()).toBe("explore Done")
    const nested = page.getByRole("log").getByRole("region", { name: "Calls of the subagent" })
    await seen(() => nested.textContent()).toContain("Search in files")
    await page.close()
  })

  test("a session is scrubbed with keys, its files are those of the moment, and it is replayed", async () => {
    const page = await browser.page(server, `/sessions/${tour}`)
    const slider = page.getByRole("slider", { name: "Moment" })
    await slider.focus()
    await page.keyboard.press("Home")
    await seen(() => slider.getAttribute("aria-valuenow")).toBe("1")
    // The first call that a person was asked about is the edit.
    await page.keyboard.press("]")
    await seen(() => slider.getAttribute("aria-valuetext")).toContain("edit")
    await page.getByRole("tab", { name: "Files at this moment" }).click()
    await page
      .getByRole("tabpanel")
      .getByRole("button", { name: /discount\.js/ })
      .click()
    await seen(() => page.getByRole("tabpanel").textContent()).toContain("cents >= large")
    await page.getByRole("tab", { name: "Decision" }).click()
    await seen(() => page.getByRole("tabpanel").textContent()).toContain("answered by a person")
    // The calls of the subagent are listed below the task that started it.
    const calls = page.getByRole("navigation", { name: "Calls" })
    await calls.getByRole("button", { name: /Task/ }).click()
    await page.getByRole("tab", { name: "Call", exact: true }).click()
    const nested = page.getByRole("region", { name: "Calls of the subagent" })
    await seen(() => nested.textContent()).toContain("Search in files")
    expect(await nested.getByRole("link", { name: "Open the subagent" }).getAttribute("href")).toMatch(
      /\/sessions\/ses_/,
    )
    await slider.focus()
    await page.keyboard.press("Home")
    await page.getByRole("button", { name: "Replay" }).click()
    const before = Number(await slider.getAttribute("aria-valuenow"))
    await seen(async () => Number(await slider.getAttribute("aria-valuenow"))).toBeGreaterThan(before)
    await page.close()
  })

  test("a call is undone from the timeline, and a session is forked, exported and imported by drop", async () => {
    const page = await browser.page(server, `/sessions/${tour}`)
    await page.getByRole("slider").focus()
    await page.keyboard.press("Home")
    await page.keyboard.press("]")
    await page.getByRole("button", { name: "Undo this call" }).click()
    await seen(() => page.getByRole("tabpanel").textContent()).toContain("undone")
    const saved = page.waitForEvent("download")
    await page.getByRole("button", { name: "Export" }).click()
    const jsonl = readFileSync(await (await saved).path(), "utf8")
    await page.getByRole("button", { name: "Fork here" }).click()
    await seen(() => page.getByText("Forked from").count()).toBe(1)
    expect(page.url()).not.toContain(tour)
    await page.close()
    await imported(jsonl)
  })

  test("language and theme are switched, and stay", async () => {
    const page = await browser.page(server, "/settings")
    await page.getByRole("button", { name: "Theme and language" }).click()
    await page.getByRole("menuitem", { name: "Dark" }).click()
    await seen(() => page.locator("html").getAttribute("data-mantine-color-scheme")).toBe("dark")
    await page.getByRole("button", { name: "Theme and language" }).click()
    await page.getByRole("menuitem", { name: "简体中文" }).click()
    await seen(() => page.getByRole("heading", { level: 1 }).textContent()).toContain("设置")
    await page.reload()
    await seen(() => page.locator("html").getAttribute("lang")).toBe("zh-CN")
    await seen(() => page.locator("html").getAttribute("data-mantine-color-scheme")).toBe("dark")
    await page.getByRole("button", { name: "主题和语言" }).click()
    await page.getByRole("menuitem", { name: "English" }).click()
    await seen(() => page.getByRole("heading", { level: 1 }).textContent()).toContain("Settings")
    await page.close()
  })

  test("the keyboard alone finds a tool, fills it in, runs it and answers", async () => {
    const page = await browser.page(server)
    await seen(() => page.getByText("41 tools").count()).toBe(1)
    await page.keyboard.press("Control+k")
    await page.getByRole("combobox").waitFor()
    await page.keyboard.type("write file")
    await seen(() => page.getByRole("option").first().textContent()).toContain("Write file")
    await page.keyboard.press("Enter")
    await seen(() => new URL(page.url()).pathname).toBe("/run/write")
    await page.getByLabel("file_path").waitFor()
    await tabTo(page, "file_path")
    await page.keyboard.type("keys.txt")
    await tabTo(page, "content")
    await page.keyboard.type("typed")
    await page.keyboard.press("Control+Enter")
    await page.getByRole("alertdialog").waitFor()
    // Letters are text while somebody writes: the ask is still there.
    await page.keyboard.type("y")
    expect(await page.getByRole("alertdialog").count()).toBe(1)
    await page.keyboard.press("Escape")
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.keyboard.press("i")
    await page.waitForTimeout(300)
    await page.keyboard.press("y")
    await seen(() => page.getByRole("article").first().getAttribute("data-phase")).toBe("ok")
    await page.close()
  })

  test("what is typed right after the palette was opened is looked for, and does nothing else", async () => {
    const page = await browser.page(server, "/settings")
    await page.getByRole("heading", { level: 1 }).waitFor()
    // "i" opens the inbox, "g r" goes elsewhere: not now.
    await page.keyboard.press("Control+k")
    await page.keyboard.type("write fig r")
    await seen(() => page.getByRole("combobox").inputValue()).toBe("write fig r")
    expect(new URL(page.url()).pathname).toBe("/settings")
    expect(await page.getByText("Nothing waits for you").count()).toBe(0)
    await page.close()
  })

  test("nothing was refused by the policy and no script failed", () => {
    expect(browser.problems).toEqual([])
  })
})

/** Another server takes the export, and refuses one that somebody has changed, with the place. */
async function imported(jsonl: string): Promise<void> {
  const elsewhere = await new TestServer().start()
  const browser = await TestBrowser.open()
  try {
    const page = await browser.page(elsewhere, "/sessions")
    await drop(page, jsonl.replace("cents >= large", "cents > 1"))
    await seen(() => page.getByRole("alert").textContent()).toMatch(/chain|hash|tamper|changed|record/i)
    await drop(page, jsonl)
    await seen(() => new URL(page.url()).pathname).toMatch(/^\/sessions\/ses_/)
    await seen(() => page.getByRole("navigation", { name: "Calls" }).textContent()).toContain("src/discount.js")
  } finally {
    await browser.close()
    await elsewhere.close()
  }
}

/** Drops a file on the page, as a person does with a mouse. */
async function drop(page: Page, text: string): Promise<void> {
  const data = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer()
    transfer.items.add(new File([text], "session.jsonl"))
    return transfer
  }, text)
  await page.getByText("Drop an exported session").dispatchEvent("drop", { dataTransfer: data })
}

/** Presses Tab until the field with this label has the focus. */
async function tabTo(page: Page, label: string): Promise<void> {
  for (let step = 0; step < 120; step++) {
    await page.keyboard.press("Tab")
    const name = await page.evaluate(() => {
      const { activeElement } = document
      return activeElement instanceof HTMLTextAreaElement ? activeElement.labels[0]?.textContent : ""
    })
    if (name?.startsWith(label)) return
  }
  throw new Error(`Tab never reaches "${label}"`)
}
