// npm run screenshots: makes the pictures of the README from the real page, over the demo workspace of the built command.
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { chromium } from "playwright-core"
import sharp from "sharp"

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..")
const pictures = join(root, "docs/pictures")
const home = mkdtempSync(join(tmpdir(), "haft-pictures-"))
const server = spawn(process.execPath, [join(root, "packages/haft/bin/haft.cjs"), "serve", "--demo", "--port", "0"], {
  cwd: home,
  env: { PATH: process.env.PATH, HOME: home, XDG_DATA_HOME: join(home, "data"), LANG: "C.UTF-8" },
  stdio: ["ignore", "pipe", "inherit"],
})
let browser
try {
  const address = await printed(server)
  browser = await chromium.launchPersistentContext(join(home, "browser"), {
    executablePath: "/usr/bin/chromium",
    args: ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
    viewport: { width: 1280, height: 900 },
    locale: "en-US",
  })
  mkdirSync(pictures, { recursive: true })
  const page = await browser.newPage()
  await page.goto(address.replace("/#", "/chat?tour=start#"))
  const ask = page.locator("main [role=alertdialog]")
  await ask.getByText("src/discount.js").first().waitFor()
  await settled(page)
  await save(page, "ask")
  const session = new URL(page.url()).pathname.split("/")[2]
  await answer("Allow once")
  await ask.getByText("node --test").first().waitFor()
  await answer("Allow once")
  await ask.getByText("9.00", { exact: true }).click()
  await ask.getByRole("button", { name: "Send answers" }).click()
  await page.getByText("That was the tour").first().waitFor()
  const { origin } = new URL(address)
  await page.goto(`${origin}/sessions/${session}`)
  await page.getByRole("slider").focus()
  await page.keyboard.press("Home")
  for (let step = 0; step < 4; step++) await page.keyboard.press("ArrowRight")
  await settled(page)
  await save(page, "session")
  await page.emulateMedia({ colorScheme: "dark" })
  await page.goto(`${origin}/run/grep?args=${encodeURIComponent('{"pattern":"discount"}')}`)
  await page.getByRole("button", { name: "Run", exact: true }).click()
  await page.locator("article[data-phase=ok]").waitFor()
  await settled(page)
  await save(page, "run")

  async function answer(name) {
    await ask.getByRole("button", { name }).click()
  }
} finally {
  await browser?.close()
  server.kill("SIGTERM")
  await new Promise((done) => server.once("exit", done))
  rmSync(home, { recursive: true, force: true })
}

function printed(child) {
  return new Promise((resolve, reject) => {
    child.stdout.on("data", (text) => {
      const found = /http:\/\/127\.0\.0\.1:\d+\/#token=\S+/.exec(String(text))
      if (found) resolve(found[0])
    })
    child.once("exit", (code) => reject(new Error(`haft serve ended with ${code}`)))
  })
}

/** What is drawn late (faces, verdicts) is there, and nothing moves. */
function settled(page) {
  return page.waitForTimeout(1500)
}

async function save(page, name) {
  const picture = await page.screenshot()
  await sharp(picture)
    .png({ palette: true, quality: 80, effort: 10 })
    .toFile(join(pictures, `${name}.png`))
  console.log(`docs/pictures/${name}.png`)
}
