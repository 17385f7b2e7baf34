/** The job `pdfText`: the text of each page. */
export const pdfTextSource = String.raw`
async function pdfText({ bytes }) {
  const { getDocumentProxy } = await load("unpdf")
  let document
  try {
    document = await getDocumentProxy(bytes, { verbosity: 0, isEvalSupported: false, disableFontFace: true, enableXfa: false })
  } catch (error) {
    if (error.name === "PasswordException") throw refuse("unsupported", "it is protected by a password; remove the protection first")
    if (error.name === "InvalidPDFException") throw refuse("unsupported", "it is damaged or no PDF at all")
    throw error
  }
  if (document.numPages > limits.pages) throw refuse("too_large", "it has more than " + limits.pages + " pages")
  const pages = []
  let length = 0
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    const text = items.map((item) => (item.str || "") + (item.hasEOL ? "\n" : "")).join("")
    page.cleanup()
    length += text.length
    if (length > limits.textLength) throw refuse("too_large", "its text is longer than " + limits.textLength + " characters")
    pages.push(text)
  }
  await document.destroy()
  return { value: pages }
}
`
