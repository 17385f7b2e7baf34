import type { Compute, OpenFile } from "@haft/contract"
import { readWhole } from "./read-whole.js"

const maxPdfBytes = 64 * 1024 * 1024

interface PdfRequest {
  readonly path: string
  readonly context: { readonly compute: Compute; readonly signal: AbortSignal }
}

/** The text of a PDF with a heading before each page. */
export async function pdfText(file: OpenFile, { path, context }: PdfRequest): Promise<string> {
  const bytes = await readWhole(file, { path, maxBytes: maxPdfBytes })
  const pages = await context.compute.pdfText(bytes, { signal: context.signal })
  return pages.map((page, index) => `--- page ${index + 1} ---\n${page.trim() || "(no text on this page)"}\n`).join("")
}
