import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { afterAll, expect, test } from "vitest"

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = mkdtempSync(join(realpathSync(tmpdir()), "haft-start-"))
const env = {
  PATH: process.env.PATH,
  HOME: join(folder, "user"),
  HAFT_HOME: join(folder, "home"),
  XDG_CONFIG_HOME: join(folder, "config"),
  npm_lifecycle_event: "start",
}

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function start(...words: readonly string[]) {
  const child = spawn(process.execPath, [join(root, "scripts/start.mjs"), ...words], { cwd: root, env })
  let said = ""
  child.stderr.on("data", (piece) => (said += String(piece)))
  return { child, said: () => said, ended: once(child, "close") as Promise<[number | null]> }
}

test("npm start prints one address, serves the page and a demo project, and a second one names the first", {
  timeout: 300_000,
}, async () => {
  const first = start("--port", "0")
  const lines = createInterface(first.child.stdout)
  const [address] = (await Promise.race([once(lines, "line"), first.ended.then(() => [first.said()])])) as [string]
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/)
  const { origin, port, hash } = new URL(address)
  const page = await fetch(origin)
  expect(page.status).toBe(200)
  const nonce = /'nonce-([^']+)'/.exec(page.headers.get("content-security-policy")!)![1]
  expect(await page.text()).toContain(`nonce="${nonce}"`)
  const headers = { authorization: `Bearer ${hash.slice("#token=".length)}` }
  const workspace = (await (await fetch(`${origin}/api/workspace`, { headers })).json()) as {
    demo: boolean
    roots: string[]
  }
  expect(workspace).toMatchObject({ demo: true, roots: [join(folder, "home-demo/workspace")] })

  const second = start("--port", port)
  expect((await second.ended)[0]).not.toBe(0)
  expect(second.said()).toContain(`haft serve runs there already, for ${join(folder, "home-demo/workspace")}`)
  expect(second.said()).toContain(`npm start -- --port ${Number(port) + 1}`)

  first.child.kill("SIGTERM")
  expect((await first.ended)[0]).toBe(0)
})
