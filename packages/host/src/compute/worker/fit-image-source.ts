/** The job `fitImage`: an image that models take, no larger than asked for. */
export const fitImageSource = String.raw`
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
  let module
  try {
    module = await load("sharp")
  } catch (error) {
    throw error.reason ? error : refuse("not_configured", "the package sharp does not load on this machine")
  }
  module.cache(false)
  module.concurrency(1)
  return module
}
`
