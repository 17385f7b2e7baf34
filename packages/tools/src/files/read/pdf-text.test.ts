import { afterEach, expect, test } from "vitest"
import { failure } from "../../../test/failure.js"
import { openBench, type ToolBench } from "../../../test/tool-bench.js"
import { read } from "./index.js"

let bench: ToolBench
afterEach(() => bench?.close())

test("a PDF is read as text by page, and in pages like any text", async () => {
  bench = await openBench({ "a.pdf": pdf(["Hello first page", "", "Third page"]) })
  const { data } = await bench.run(read, { file_path: "a.pdf" })
  expect(data.media_type).toBe("application/pdf")
  expect(data.content).toBe(
    "--- page 1 ---\nHello first page\n--- page 2 ---\n(no text on this page)\n--- page 3 ---\nThird page\n",
  )
  expect((await bench.run(read, { file_path: "a.pdf", offset: 4, limit: 2 })).data.content).toBe(
    "--- page 3 ---\nThird page\n",
  )
})

test("a broken PDF is a typed failure", async () => {
  bench = await openBench({ "a.pdf": "%PDF-1.4\nnothing here" })
  expect(["unsupported", "backend"]).toContain((await failure(bench.run(read, { file_path: "a.pdf" }))).code)
})

/** A small PDF with one line of text a page; an empty text makes an empty page. */
function pdf(pages: readonly string[]): Buffer {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${pages.map((_, index) => `${4 + 2 * index} 0 R`).join(" ")}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ]
  for (const [index, text] of pages.entries()) {
    const stream = text === "" ? "" : `BT /F1 12 Tf 72 720 Td (${text}) Tj ET`
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * index} 0 R >>`,
    )
    objects.push(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`)
  }
  let body = "%PDF-1.4\n"
  const offsets = objects.map((object, index) => {
    const at = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const table = offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("")
  body += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`
  return Buffer.from(body, "latin1")
}
