import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { CallView } from "@haft/contract"
import { build } from "esbuild"
import { type Browser, chromium, type Page } from "playwright-core"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"

// The policy of the page: no face may need more than this.
const policy = [
  ...[
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data: blob:",
  ],
  ...["font-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"],
  "require-trusted-types-for 'script'",
].join("; ")

const executablePath = ["/usr/bin/chromium", "/usr/bin/google-chrome"].find((path) => existsSync(path))
const inBrowser = test.skipIf(executablePath === undefined)
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const profile = mkdtempSync(join(tmpdir(), "haft-browser-"))
let server: Server
let browser: Browser
let page: Page
let requested: string[] = []

beforeAll(async () => {
  if (executablePath === undefined) return
  const files = await bundle()
  server = createServer(({ url = "/" }, response) => {
    requested.push(url)
    const file = files.get(url)
    const type = url.endsWith(".js") ? "text/javascript" : url.endsWith(".css") ? "text/css" : "text/html"
    response.writeHead(file === undefined ? 404 : 200, { "content-type": type, "content-security-policy": policy })
    response.end(file)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const args = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
  // It would leave a folder in the home of whoever runs the tests.
  const env = { ...process.env, XDG_CONFIG_HOME: profile, XDG_CACHE_HOME: profile }
  browser = await chromium.launch({ executablePath, args, env })
}, 120_000)

afterAll(async () => {
  await browser?.close()
  server?.close()
  rmSync(profile, { recursive: true, force: true })
})

beforeEach(async () => {
  if (executablePath === undefined) return
  await page?.close()
  page = await browser.newPage()
  // Manifests are made with zod, which would otherwise try whether it may compile code.
  await page.addInitScript(() => Object.assign(window, { __zod_globalConfig: { jitless: true } }))
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  requested = []
})

const show = (tool: string, call: Partial<CallView>) =>
  page.evaluate(([id, view]) => window.show(id, view), [tool, call] as const)
const answers = () => page.evaluate(() => window.answers)

inBrowser("each change of an edit can be left out, and what is left is what runs", async () => {
  const lines = (first: string, last: string) => [first, ..."bcdefghi", last].join("\n")
  const args = { file_path: "a.ts", old_string: lines("a", "j"), new_string: lines("A", "J") }
  await show("edit", { phase: "awaiting-approval", arguments: args })
  await page.getByLabel("Include change 2").uncheck()
  await page.getByRole("button", { name: "Run with changes" }).click()
  expect(await answers()).toEqual([{ answer: "edit", arguments: { ...args, new_string: lines("A", "j") } }])
})

inBrowser("each change of a patch and of a written file can be left out", async () => {
  const diff = "@@ -1 +1 @@\n-a\n+A\n@@ -9 +9 @@\n-i\n+I\n"
  await show("patch", { phase: "awaiting-approval", arguments: { file_path: "a.ts", diff } })
  await page.getByLabel("Include change 1").uncheck()
  await page.getByRole("button", { name: "Run with changes" }).click()
  const hunks = [
    { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ["-a", "+A"] },
    { oldStart: 3, oldLines: 1, newStart: 3, newLines: 2, lines: ["-c", "+C", "+D"] },
  ]
  const file = { path: "a.ts", action: "replace", added: 3, removed: 2, hunks } as const
  const written = { file_path: "a.ts", content: "A\nb\nC\nD\n" }
  const request = { preview: { files: [file] } } as never
  await show("write", { phase: "awaiting-approval", arguments: written, request })
  await page.getByLabel("Include change 2").uncheck()
  await page.getByRole("button", { name: "Run with changes" }).click()
  expect(await answers()).toEqual([
    { answer: "edit", arguments: { file_path: "a.ts", diff: "@@ -9 +9 @@\n-i\n+I\n" } },
    { answer: "edit", arguments: { file_path: "a.ts", content: "A\nb\nc\n" } },
  ])
})

inBrowser("a call is allowed, changed or rejected with a reason, by keyboard alone", async () => {
  const call = { phase: "awaiting-approval", arguments: { command: "npm test", timeout: 1000 } } as const
  await show("bash", call)
  await page.getByRole("button", { name: "Allow once" }).press("Enter")
  await show("bash", call)
  await page.getByRole("button", { name: "Change the arguments" }).press("Enter")
  await page.getByRole("textbox", { name: "command" }).fill("npm run build")
  await page.getByRole("button", { name: "Run with changes" }).press("Enter")
  await show("bash", call)
  await page.getByLabel("Reason for rejecting").fill("not now")
  await page.keyboard.press("Enter")
  await expect
    .poll(answers)
    .toEqual([
      { answer: "once" },
      { answer: "edit", arguments: { command: "npm run build", timeout: 1000 } },
      { answer: "reject", reason: "not now" },
    ])
})

inBrowser("questions are answered tab by tab, reviewed and sent", async () => {
  const questions = [
    { question: "Which platforms?", multi_select: true, options: [{ label: "Linux" }, { label: "macOS" }] },
    { question: "Publish it?", options: [{ label: "Yes" }, { label: "No" }] },
  ]
  await show("question", { phase: "awaiting-approval", arguments: { questions }, questions })
  await page.getByLabel("Linux").check()
  await page.getByLabel("Other").fill("BSD")
  await page.keyboard.press("Enter")
  await page.getByLabel("No").check()
  await page.getByRole("button", { name: "Next" }).click()
  expect(await page.getByRole("tabpanel").textContent()).toContain("Linux, BSD")
  await page.getByRole("button", { name: "Send answers" }).click()
  expect(await answers()).toEqual([{ type: "submit", payload: [["Linux", "BSD"], ["No"]] }])
})

inBrowser("a link opens nothing before its whole address was shown", async () => {
  const content =
    "[your bank](https://evil.example/steal?a=1) ![x](https://evil.example/pixel.png) [no](javascript:alert(1))"
  await show("web_fetch", { arguments: { url: "https://a.example" }, data: { url: "https://a.example", content } })
  const link = page.getByRole("button", { name: "your bank" })
  await link.click()
  expect(await page.locator(".haft-address code").textContent()).toBe("https://evil.example/steal?a=1")
  const open = page.getByRole("link", { name: "Open in a new tab" })
  expect(await open.getAttribute("rel")).toBe("noopener noreferrer")
  expect(await page.locator("a").count()).toBe(1)
  expect(await page.locator("img").count()).toBe(0)
  expect(await page.locator("[href^='javascript']").count()).toBe(0)
})

inBrowser(
  "code is coloured under a policy without eval, and no face breaks the policy or asks the network",
  async () => {
    const content = "export const answer = 42 // comment\n"
    await show("read", { arguments: { file_path: "src/a.ts" }, data: { content, start_line: 7, line_count: 1 } })
    await page.locator(".haft-token-keyword").first().waitFor()
    expect(await page.locator(".haft-code").textContent()).toContain("export const answer = 42 // comment")
    expect(await page.evaluate(() => window.violations)).toEqual([])
    expect(requested.filter((url) => !url.endsWith(".js"))).toEqual([])
  },
)

inBrowser("hostile output is drawn in bounded pieces, visibly, and nothing in it runs", async () => {
  const stdout = `<img src=x onerror=alert(1)>\n\u202etxt.exe\n${"x".repeat(5_000_000)}\n\u001b[31mred\u001b[0m\n`
  const svg = btoa("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>")
  page.on("dialog", () => expect.unreachable("something ran"))
  await show("bash", { arguments: { command: "cat" }, data: { stdout, stderr: "", exit_code: 0 } })
  await page.getByText("<img src=x onerror=alert(1)>").waitFor()
  expect(await page.locator(".haft-hidden").textContent()).toBe("U+202E")
  expect(await page.locator(".haft-ansi-color-1").textContent()).toBe("red")
  expect(await page.evaluate(() => document.body.textContent!.length)).toBeLessThan(20_000)
  for (const mediaType of ["image/svg+xml", "image/png", "text/html"]) {
    await show("foreign", { data: { a: 1 }, attachments: [{ mediaType, data: svg }] })
    await page.getByText("These bytes are no image").waitFor()
  }
  expect(await page.evaluate(() => window.violations)).toEqual([])
})

inBrowser("a face with a defect gives way to the default, and the eye shows what the model read", async () => {
  const model = { content: [{ type: "text", text: "exactly this" }], tokens: 3 } as const
  await show("broken", { data: { answer: 42 }, model })
  await page.getByText("The view of this tool failed").waitFor()
  expect(await page.locator(".haft-json").textContent()).toContain("answer")
  await page.getByRole("button", { name: "See what the model read" }).click()
  expect(await page.locator(".haft-model").textContent()).toMatch(/about 3 tokens.*exactly this/)
})

/** The page of these tests, its chunks and its style, by address. */
async function bundle(): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await build({
    entryPoints: [here("page/main.tsx"), here("../src/style/faces.css")],
    entryNames: "[name]",
    ...{ outdir: "/", bundle: true, splitting: true, format: "esm", write: false, jsx: "automatic", logLevel: "error" },
    conditions: ["haft-source"],
    define: { "process.env.NODE_ENV": '"production"' },
    // The work of tools is never loaded here; what it takes from Node is not looked for.
    external: ["node:*", "string_decoder", "buffer", "stream"],
  })
  const head = '<!doctype html><html lang="en"><title>Faces</title><link rel="stylesheet" href="/faces.css">'
  const index = `${head}<div id="root"></div><script type="module" src="/main.js"></script>`
  return new Map([["/", index], ...outputFiles.map(({ path, text }) => [path, text] as const)])
}
