import type { BrowserContext, Request } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { noBrowser, seen, TestBrowser, TestServer, token } from "./page.js"

describe.skipIf(noBrowser)(`pages and their server${noBrowser ? `: ${noBrowser}` : ""}`, () => {
  const server = new TestServer()
  let browser: TestBrowser

  beforeAll(async () => {
    await server.start()
    browser = await TestBrowser.open()
  })
  afterAll(async () => {
    await browser?.close()
    await server.close()
  })

  test("ten tabs share one stream, and an ask is answered in any of them", { timeout: 120_000 }, async () => {
    const streams = openStreams(browser.context)
    const first = await browser.page(server, writing("tabs.txt"))
    const tabs = [first]
    // A tab without a token asks the others for it.
    for (let count = 1; count < 10; count++) {
      const tab = await browser.context.newPage()
      await tab.goto(`${server.origin}/run`)
      tabs.push(tab)
    }
    for (const tab of tabs) await seen(() => tab.getByText(/\d+ tools/).count()).toBe(1)
    await first.bringToFront()
    await first.getByRole("button", { name: "Run", exact: true }).click()
    for (const tab of tabs) await seen(() => tab.title()).toBe("(1) Haft")
    // Everybody sees it: what waits for the person is one stream, and the session of this browser another.
    await seen(() => streams.size).toBe(2)
    const last = tabs.at(-1)!
    await last.bringToFront()
    await last.getByRole("button", { name: /Inbox/ }).click()
    await last.getByRole("button", { name: "Allow once" }).click()
    await seen(() => first.getByRole("article").getAttribute("data-phase")).toBe("ok")
    for (const tab of tabs) await seen(() => tab.title()).toBe("Haft")
    // When the leader goes, another one takes over.
    await first.close()
    const second = tabs[1]!
    await second.goto(`${server.origin}${writing("again.txt")}`)
    await second.getByRole("button", { name: "Run", exact: true }).click()
    await seen(() => last.title()).toBe("(1) Haft")
    await second.getByRole("button", { name: "Allow once" }).click()
    await seen(() => last.title()).toBe("Haft")
    for (const tab of tabs.slice(1)) await tab.close()
  })

  test("a server that is killed while a page waits is said, and found again", { timeout: 90_000 }, async () => {
    const page = await browser.page(server, writing("lost.txt"))
    await page.getByRole("button", { name: "Run", exact: true }).click()
    await page.getByRole("alertdialog").waitFor()
    const { port } = server
    await server.stop("SIGKILL")
    await seen(() => page.getByRole("main").textContent()).toContain("The server does not answer")
    await server.start(port)
    await seen(() => page.getByText("The server does not answer. What it had").count()).toBe(0)
    await page.goto(`${server.origin}/run/grep?args=${encodeURIComponent('{"pattern":"discount"}')}`)
    await page.getByRole("button", { name: "Run", exact: true }).click()
    await seen(() => page.getByRole("article").getAttribute("data-phase")).toBe("ok")
    await page.close()
  })

  test("the token leaves the address at once; a wrong one is said, and the right one opens the page", async () => {
    const alone = await TestBrowser.open()
    const page = await alone.context.newPage()
    await page.goto(`${server.origin}/run#token=${"f".repeat(64)}`)
    expect(page.url()).not.toContain("token")
    await seen(() => page.getByText("did not accept this token").count()).toBe(1)
    await page.getByLabel("Address or token").fill(`${server.origin}/#token=${token}`)
    await page.getByRole("button", { name: "Open" }).click()
    await seen(() => page.getByText(/\d+ tools/).count()).toBe(1)
    await alone.close()
  })

  test("a server with a new token is found again by all tabs when one of them is told", {
    timeout: 90_000,
  }, async () => {
    const again = await new TestServer().start()
    const other = await TestBrowser.open()
    const [one, two] = [await other.page(again), await other.page(again)]
    for (const page of [one, two]) await seen(() => page.getByText(/\d+ tools/).count()).toBe(1)
    const { port } = again
    await again.stop("SIGKILL")
    await again.start(port, "e".repeat(64))
    // Only the tab that reads for both has asked already; the other one finds out with its next request.
    await seen(
      async () => (await one.getByText("did not accept").count()) + (await two.getByText("did not accept").count()),
    ).toBeGreaterThan(0)
    const asked = (await one.getByText("did not accept").count()) > 0 ? one : two
    await asked.getByLabel("Address or token").fill("e".repeat(64))
    await asked.getByRole("button", { name: "Open" }).click()
    for (const page of [one, two]) await seen(() => page.getByText(/\d+ tools/).count()).toBe(1)
    const page = asked === one ? two : one
    await page.goto(`${again.origin}${writing("new.txt")}`)
    await page.getByRole("button", { name: "Run", exact: true }).click()
    await seen(() => asked.title()).toBe("(1) Haft")
    await other.close()
    await again.close()
  })

  test("an unknown session, tool and screen have their place on the page", async () => {
    const page = await browser.page(server, "/sessions/ses_nothing")
    await seen(() => page.getByRole("alert").textContent()).toMatch(/ses_nothing/)
    await page.goto(`${server.origin}/chat/ses_nothing`)
    await seen(() => page.getByRole("alert").textContent()).toMatch(/ses_nothing/)
    await page.getByRole("alert").getByRole("link", { name: "All sessions" }).click()
    await seen(() => new URL(page.url()).pathname).toBe("/sessions")
    await page.goto(`${server.origin}/run/no_such_tool`)
    await seen(() => page.getByRole("heading", { level: 2 }).allInnerTexts()).toContain(
      'There is no tool "no_such_tool"',
    )
    await page.goto(`${server.origin}/nowhere`)
    await seen(() => page.getByRole("main").textContent()).toContain("There is no such screen")
    await page.close()
  })

  test("a session that another process drives is followed, as a timeline and as a conversation", {
    timeout: 90_000,
  }, async () => {
    const other = await new TestServer(["--demo"], server).start()
    try {
      const { id } = await other.request<{ id: string }>("POST", "/api/sessions", {})
      const search = (pattern: string) =>
        other.request("POST", `/api/sessions/${id}/calls`, { tool: "grep", args: { pattern } })
      await search("before")
      const timeline = await browser.page(server, `/sessions/${id}`)
      const conversation = await browser.page(server, `/chat/${id}`)
      await seen(() => timeline.getByRole("main").textContent()).toContain("in another process")
      await seen(() => timeline.getByRole("slider").getAttribute("aria-valuemax")).toBe("1")
      await seen(() => conversation.getByRole("log").locator("article").count()).toBe(1)
      await timeline.bringToFront()
      await search("meanwhile")
      await seen(() => timeline.getByRole("navigation", { name: "Calls" }).textContent()).toContain("meanwhile")
      await conversation.bringToFront()
      await seen(() => conversation.getByRole("log").textContent()).toContain("2 searches")
      await timeline.close()
      await conversation.close()
    } finally {
      await other.close()
    }
  })

  test("an answer that came too late is said, and the page goes on", async () => {
    const page = await browser.page(server, writing("late.txt"))
    // Its own requests are held back, so that somebody else is first.
    await page.route("**/api/asks/*", async (route) => {
      const [ask] = await server.request<{ id: string }[]>("GET", "/api/asks")
      if (ask) await server.request("POST", `/api/asks/${ask.id}`, { answer: "reject" })
      await route.continue()
    })
    await page.getByRole("button", { name: "Run", exact: true }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Allow once" }).click()
    await seen(() => page.getByRole("article").getAttribute("data-phase")).toBe("denied")
    await page.close()
  })

  test("no script failed on any of these pages", () => {
    expect(browser.problems).toEqual([])
  })
})

function writing(file: string): string {
  return `/run/write?args=${encodeURIComponent(JSON.stringify({ file_path: file, content: "x" }))}`
}

/** The event streams that pages of this browser have open now. */
function openStreams(context: BrowserContext): ReadonlySet<Request> {
  const open = new Set<Request>()
  context.on("request", (request) => {
    if (new URL(request.url()).pathname.endsWith("/events")) open.add(request)
  })
  context.on("requestfinished", (request) => open.delete(request))
  context.on("requestfailed", (request) => open.delete(request))
  return open
}
