/**
 * The program of the worker, as text. A worker from a file would need a path that is right in the sources, in the
 * compiled package and in a bundle of one file; a program that is handed over as text is right in all three. Packages are
 * imported by addresses that the main thread resolved, and are loaded by the first job that needs them.
 */
export const workerSource = String.raw`
"use strict"
const { parentPort, workerData } = require("node:worker_threads")
const { addresses, limits } = workerData
const jobs = { pdfText, fitImage }

parentPort.on("message", async ({ job, request }) => {
  try {
    const { value, transfer = [] } = await jobs[job](request)
    parentPort.postMessage({ value }, transfer)
  } catch (error) {
    const { code = "backend", reason = String(error && error.message || error) } = error || {}
    parentPort.postMessage({ failure: { code, reason } })
  }
})

function refuse(code, reason) {
  return Object.assign(new Error(reason), { code, reason })
}

async function pdfText({ bytes }) {
  if (addresses.pdf === undefined) throw refuse("not_configured", "the package unpdf is not installed")
  const { getDocumentProxy } = await import(addresses.pdf)
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

async function fitImage({ bytes, maxEdge, maxBytes }) {
  const sharp = await loadSharp()
  const open = () => sharp(bytes, { limitInputPixels: limits.pixels, failOn: "error", sequentialRead: true })
  try {
    const { format, width, height, orientation = 1, pages = 1 } = await open().metadata()
    const fits = Math.max(width, height) <= maxEdge && bytes.length <= maxBytes
    if (fits && orientation === 1 && pages === 1) {
      // Decoded once, so that a damaged image is found here and not by whoever gets it.
      await open().raw().toBuffer()
      return image(bytes, format, width, height, false)
    }
    const inside = { width: maxEdge, height: maxEdge, fit: "inside", withoutEnlargement: true }
    const raw = await open().autoOrient().toColourspace("srgb").resize(inside).raw().toBuffer({ resolveWithObject: true })
    return await encodeWithin(sharp, raw, format, maxBytes)
  } catch (error) {
    if (error.code && error.reason) throw error
    if (/pixel limit/i.test(error.message)) throw refuse("too_large", "it has more than " + limits.pixels + " pixels")
    throw refuse("unsupported", "it is damaged or no image (" + String(error.message).split("\n")[0] + ")")
  }
}

async function encodeWithin(sharp, { data, info }, format, maxBytes) {
  const { channels } = info
  for (const scale of [1, 0.75, 0.5, 0.35, 0.25, 0.1]) {
    const width = Math.max(1, Math.round(info.width * scale))
    for (const encode of encodings(format)) {
      const small = sharp(data, { raw: { width: info.width, height: info.height, channels } }).resize({ width })
      const made = await encode(small).toBuffer({ resolveWithObject: true })
      if (made.data.length <= maxBytes) return image(made.data, made.info.format, made.info.width, made.info.height, true)
    }
  }
  throw refuse("too_large", "it does not fit into " + maxBytes + " bytes at any size")
}

/** The image's own kind first; a JPEG, which has no transparency, where that becomes too large. */
function encodings(format) {
  const jpeg = (quality) => (picture) => picture.flatten({ background: "#ffffff" }).jpeg({ quality })
  const own = format === "jpeg" ? [] : [(picture) => (format === "webp" ? picture.webp({ quality: 85 }) : picture.png())]
  return [...own, jpeg(85), jpeg(60)]
}

function image(bytes, format, width, height, resized) {
  // A copy of its own memory: small results of sharp may share a pool, which cannot be handed over.
  const copy = new Uint8Array(bytes)
  return { value: { mediaType: "image/" + format, bytes: copy, width, height, resized }, transfer: [copy.buffer] }
}

async function loadSharp() {
  if (addresses.image === undefined) throw refuse("not_configured", "the package sharp is not installed")
  try {
    const { default: sharp } = await import(addresses.image)
    sharp.cache(false)
    sharp.concurrency(1)
    return sharp
  } catch (error) {
    throw refuse("not_configured", "the package sharp does not load on this machine")
  }
}
`
