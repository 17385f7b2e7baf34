import { limits } from "../limits.js"
import { refuse } from "./refuse.js"

/** The text of each page. */
export async function pdfText({ bytes }: { readonly bytes: Uint8Array }): Promise<readonly string[]> {
  const document = await openPdf(bytes)
  if (document.numPages > limits.pages) throw refuse("too_large", `it has more than ${limits.pages} pages`)
  const pages: string[] = []
  let length = 0
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    const text = items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : "")).join("")
    page.cleanup()
    length += text.length
    if (length > limits.textLength) {
      throw refuse("too_large", `its text is longer than ${limits.textLength} characters`)
    }
    pages.push(text)
  }
  await document.destroy()
  return pages
}

async function openPdf(bytes: Uint8Array) {
  const { getDocumentProxy } = await import("unpdf")
  try {
    const nothingRuns = { isEvalSupported: false, disableFontFace: true, enableXfa: false }
    return await getDocumentProxy(bytes, { verbosity: 0, ...nothingRuns })
  } catch (error) {
    const name = error instanceof Error ? error.name : ""
    if (name === "PasswordException") {
      throw refuse("unsupported", "it is protected by a password; remove the protection first")
    }
    if (name === "InvalidPDFException") throw refuse("unsupported", "it is damaged or no PDF at all")
    throw error
  }
}
