import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { afterAll, expect, test } from "vitest"
import { Page } from "./page.js"

const folder = mkdtempSync(join(tmpdir(), "haft-page-"))
mkdirSync(join(folder, "assets"))
writeFileSync(
  join(folder, "index.html"),
  '<meta property="csp-nonce" nonce="__NONCE__"><style nonce="__NONCE__"></style>',
)
writeFileSync(join(folder, "assets/app-1a2b.js"), "export const page = 1\n")
writeFileSync(join(folder, ".build-stamp"), "stamp")
writeFileSync(join(folder, "icon.svg"), "<svg/>")
symlinkSync("/etc/hostname", join(folder, "link.txt"))
const page = new Page(folder)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test("the nonce of the page is that of its policy, new for each answer", async () => {
  const [one, two] = await Promise.all(
    [1, 2].map(async () => {
      const answer = page.answer("/")
      const nonce = /'nonce-([^']+)'/.exec(answer.headers.get("content-security-policy")!)![1]
      const text = await answer.text()
      expect(text).toBe(`<meta property="csp-nonce" nonce="${nonce}"><style nonce="${nonce}"></style>`)
      expect(answer.headers.get("cache-control")).toBe("no-store")
      return nonce
    }),
  )
  expect(one).not.toBe(two)
})

test("files with a hash in their names are kept for ever, others are asked for again", async () => {
  const asset = page.answer("/assets/app-1a2b.js")
  expect(asset.headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
  expect(asset.headers.get("content-type")).toBe("text/javascript; charset=utf-8")
  expect(page.answer("/icon.svg").headers.get("cache-control")).toBe("no-cache")
  const packed = page.answer("/assets/app-1a2b.js", "br, gzip")
  expect(packed.headers.get("content-encoding")).toBe("gzip")
  expect(gunzipSync(Buffer.from(await packed.arrayBuffer())).toString()).toBe("export const page = 1\n")
})

test("a deep link is the page; a file that is not there, hidden or a link is missing", async () => {
  expect(await page.answer("/.build-stamp").text()).not.toBe("stamp")
  expect(await page.answer("/sessions/ses_1").text()).toContain("csp-nonce")
  for (const path of ["/gone.js", "/link.txt", "/../page.test.ts", "/assets/__proto__.js"]) {
    expect(page.answer(path).status, path).toBe(404)
  }
})

test("a page that is not built says how to build it", async () => {
  const answer = new Page(join(folder, "gone")).answer("/")
  expect(answer.status).toBe(503)
  expect(await answer.text()).toContain("npm run build")
})

test("files that an installed package has compressed are answered either way", async () => {
  const packed = mkdtempSync(join(tmpdir(), "haft-page-"))
  try {
    mkdirSync(join(packed, "assets"))
    writeFileSync(join(packed, "index.html.gz"), gzipSync("<p>packed</p>"))
    writeFileSync(join(packed, "assets/app.js.gz"), gzipSync("export const packed = 1\n"))
    const answers = new Page(packed)
    expect(answers.isBuilt).toBe(true)
    expect(await answers.answer("/").text()).toBe("<p>packed</p>")
    const plain = answers.answer("/assets/app.js")
    expect([plain.headers.get("content-type"), await plain.text()]).toEqual([
      "text/javascript; charset=utf-8",
      "export const packed = 1\n",
    ])
    const small = answers.answer("/assets/app.js", "gzip")
    expect(small.headers.get("content-encoding")).toBe("gzip")
    expect(gunzipSync(Buffer.from(await small.arrayBuffer())).toString()).toBe("export const packed = 1\n")
  } finally {
    rmSync(packed, { recursive: true, force: true })
  }
})
