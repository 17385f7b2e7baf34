import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import type { Compute } from "@haft/contract"
import { build } from "esbuild"
import sharp from "sharp"
import { afterAll, beforeAll, expect, test } from "vitest"

// Apart from the repository: what is found here would be found in an installed package too.
const folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-worker-place-")))
const bundle = fileURLToPath(new URL("../dist/compute-worker", import.meta.url))
const signal = new AbortController().signal

beforeAll(async () => {
  for (const place of ["flat", "sources/src", "alone"]) {
    await build({
      entryPoints: [fileURLToPath(new URL("create-compute.ts", import.meta.url))],
      outfile: join(folder, place, "create-compute.mjs"),
      bundle: true,
      platform: "node",
      format: "esm",
      conditions: ["haft-source"],
      logLevel: "error",
    })
  }
  for (const place of ["flat", "sources/dist"])
    cpSync(bundle, join(folder, place, "compute-worker"), { recursive: true })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each(["flat", "sources/src"])(
  "every job runs where the code is in %s and no package is installed",
  async (place) => {
    await using compute = await open(place)
    const expression = { operation: "evaluate", expression: "1 + 2" } as const
    expect(await compute.calculate(expression, { signal })).toBe(3)
    const page = `<html><body><article><h1>T</h1>${"<p>Some words of a story, which goes on.</p>".repeat(20)}</article></body></html>`
    const asked = { url: "https://x.test/", to: "markdown", part: "article", signal } as const
    expect(await compute.convertHtml(page, asked)).toMatchObject({ part: "article", needsScript: false })
    expect(await compute.selectHtml(page, { row: "h1", fields: { text: "" }, maxRows: 1, signal })).toEqual([
      { text: "T" },
    ])
    const where = { directory: "/w", home: "/home/a", roots: ["/w"] }
    expect(await compute.analyzeBash?.("cat a.txt", where, { signal })).toMatchObject({ parsed: true })
    await expect(compute.pdfText(Buffer.from("no PDF"), { signal })).rejects.toMatchObject({
      code: "unsupported",
      message: "Cannot read the PDF: it is damaged or no PDF at all",
    })
  },
)

test("without sharp a small image is passed on, and for a large one the line that installs it is named", async () => {
  await using compute = await open("flat")
  const bytes = await sharp({ create: { width: 60, height: 40, channels: 3, background: "#336699" } })
    .png()
    .toBuffer()
  const options = { mediaType: "image/png", maxBytes: 100_000, signal }
  expect(await compute.fitImage(bytes, { ...options, maxEdge: 60 })).toMatchObject({ width: 60, resized: false })
  await expect(compute.fitImage(bytes, { ...options, maxEdge: 50 })).rejects.toMatchObject({
    code: "not_configured",
    message: "Cannot make the image smaller: Cannot read the image: the package sharp is not installed",
    fix: "Install it with: npm install sharp",
  })
})

test("without its program a worker is not started, and the error names the build", async () => {
  await using compute = await open("alone")
  // More often than there are threads: a start that fails gives its place back.
  for (let times = 0; times < 6; times += 1) {
    const failed = compute.calculate({ operation: "evaluate", expression: "1" }, { signal: AbortSignal.timeout(5_000) })
    await expect(failed).rejects.toMatchObject({
      code: "backend",
      message: "Cannot start a worker: its program is not built",
      fix: "Run: npm run build",
    })
  }
})

async function open(place: string): Promise<Compute & AsyncDisposable> {
  const { createCompute } = await import(pathToFileURL(join(folder, place, "create-compute.mjs")).href)
  const compute = createCompute()
  return { ...compute, [Symbol.asyncDispose]: () => compute.close() }
}
