import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { type BrowserContext, chromium, type Page } from "playwright-core"
import { expect } from "vitest"

const browser = "/usr/bin/chromium"
const command = join(dirname(fileURLToPath(import.meta.url)), "../../haft/bin/haft.cjs")

/** Why tests with a browser cannot run here; undefined when they can. */
export const noBrowser = existsSync(browser) ? undefined : `${browser} is not installed`

/** Waits until what is read meets an expectation: a busy machine needs a moment. */
export function seen<Value>(read: () => Value | Promise<Value>, timeout = 15_000) {
  return expect.poll(read, { timeout, interval: 100 })
}

/** The token of every server here: one that is started again is found again by its pages. */
export const token = "0123456789abcdef".repeat(4)

/** A server of the built command over a folder of its own, until it is closed. */
export class TestServer {
  readonly home: string
  readonly root: string
  private process: ChildProcess | undefined
  origin = ""

  /** With another server, over the same folder and journal. */
  constructor(
    private readonly options: readonly string[] = ["--demo"],
    private readonly beside?: TestServer,
  ) {
    this.home = beside?.home ?? mkdtempSync(join(tmpdir(), "haft-page-"))
    this.root = join(this.home, "work")
    if (!beside) mkdirSync(this.root)
  }

  /** Starts it; with a port, where it was before. */
  async start(port = "0", secret = token): Promise<this> {
    const child = spawn(process.execPath, [command, "serve", "--port", port, "--token", secret, ...this.options], {
      cwd: this.root,
      env: { PATH: process.env.PATH, HOME: this.home, XDG_DATA_HOME: join(this.home, "data"), LANG: "C.UTF-8" },
      stdio: ["ignore", "pipe", "pipe"],
    })
    this.process = child
    let said = ""
    child.stderr.on("data", (text) => {
      said += text
    })
    this.origin = await new Promise((resolve, reject) => {
      child.stdout.on("data", (text) => {
        said += text
        const found = /(http:\/\/127\.0\.0\.1:\d+)\/#token=/.exec(said)
        if (found) resolve(found[1]!)
      })
      child.once("exit", (code) => reject(new Error(`haft serve ended with ${code}: ${said}`)))
    })
    return this
  }

  get port(): string {
    return new URL(this.origin).port
  }

  /** Ends the process as a crash would, or as Ctrl-C does. */
  async stop(signal: "SIGKILL" | "SIGTERM" = "SIGTERM"): Promise<void> {
    const child = this.process
    if (!child || child.exitCode !== null) return
    const ended = new Promise((resolve) => child.once("exit", resolve))
    child.kill(signal)
    await ended
  }

  async close(): Promise<void> {
    await this.stop()
    if (!this.beside) rmSync(this.home, { recursive: true, force: true })
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true })
    writeFileSync(join(this.root, path), text)
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), "utf8")
  }

  /** One request to the API, as a program makes it. */
  async request<Result>(method: string, path: string, body?: unknown): Promise<Result> {
    const response = await fetch(this.origin + path, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...(body !== undefined && { "Content-Type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Result
  }
}

/** A browser with its own profile. What its pages say on the console, and what the policy refused, is in `problems`. */
export class TestBrowser {
  readonly problems: string[] = []
  private constructor(
    readonly context: BrowserContext,
    private readonly folder: string,
  ) {
    context.on("page", (page) => this.listen(page))
  }

  static async open(
    options: { width?: number; height?: number; theme?: "light" | "dark"; locale?: string } = {},
  ): Promise<TestBrowser> {
    const { width = 1280, height = 900, theme = "light", locale = "en-US" } = options
    const folder = mkdtempSync(join(tmpdir(), "haft-browser-"))
    const context = await chromium.launchPersistentContext(folder, {
      executablePath: browser,
      // It would leave a folder in the home of the user who runs the tests.
      env: { ...process.env, XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder },
      args: [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
      viewport: { width, height },
      colorScheme: theme,
      locale,
      permissions: ["clipboard-read", "clipboard-write"],
    })
    return new TestBrowser(context, folder)
  }

  async page(server: TestServer, path = "/run"): Promise<Page> {
    const page = await this.context.newPage()
    await page.goto(`${server.origin}${path}#token=${token}`)
    return page
  }

  async close(): Promise<void> {
    await this.context.close()
    rmSync(this.folder, { recursive: true, force: true })
  }

  private listen(page: Page): void {
    page.on("pageerror", (error) => this.problems.push(`${page.url()}: ${error.message}`))
    page.on("console", (message) => {
      // A request that the server refuses is written there by the browser itself; the page shows it.
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
        this.problems.push(`${page.url()}: ${message.text()}`)
      }
    })
  }
}
