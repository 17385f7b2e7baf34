import type { FittedImage } from "@haft/contract"
import type { Sharp } from "sharp"
import type { JobRequests } from "../job.js"
import { limits } from "../limits.js"
import { firstLine, messageOf, Refusal, refuse } from "./refuse.js"

type SharpFunction = typeof import("sharp")["default"]

/** An image that models take, no larger than asked for. */
export async function fitImage({ bytes, maxEdge, maxBytes }: JobRequests["fitImage"]): Promise<FittedImage> {
  const sharp = await loadSharp()
  const open = () => sharp(bytes, { limitInputPixels: limits.pixels, failOn: "error", sequentialRead: true })
  try {
    const { format, width, height, orientation = 1, pages = 1 } = await open().metadata()
    const fits = Math.max(width, height) <= maxEdge && bytes.length <= maxBytes
    if (fits && orientation === 1 && pages === 1) {
      // Decoded once, so that a damaged image is found here and not by the model.
      await open().raw().toBuffer()
      return { mediaType: `image/${format}`, bytes, width, height, resized: false }
    }
    const inside = { width: maxEdge, height: maxEdge, fit: "inside", withoutEnlargement: true } as const
    const upright = open().autoOrient().toColourspace("srgb").resize(inside)
    return await encodeWithin(sharp, await pixelsOf(upright.raw()), { format, maxBytes })
  } catch (error) {
    if (error instanceof Refusal) throw error
    if (/pixel limit/i.test(messageOf(error))) throw refuse("too_large", `it has more than ${limits.pixels} pixels`)
    throw refuse("unsupported", `it is damaged or no image (${firstLine(error)})`)
  }
}

async function loadSharp(): Promise<SharpFunction> {
  try {
    const { default: sharp } = await import("sharp")
    sharp.cache(false)
    sharp.concurrency(1)
    return sharp
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND"
    throw refuse(
      "not_configured",
      `the package sharp ${isMissing ? "is not installed" : "does not load on this machine"}`,
    )
  }
}

type Pixels = Awaited<ReturnType<typeof pixelsOf>>

function pixelsOf(image: Sharp) {
  return image.toBuffer({ resolveWithObject: true })
}

async function encodeWithin(
  sharp: SharpFunction,
  { data, info }: Pixels,
  { format, maxBytes }: { readonly format: string; readonly maxBytes: number },
): Promise<FittedImage> {
  const { channels } = info
  for (const scale of [1, 0.75, 0.5, 0.35, 0.25, 0.1]) {
    const width = Math.max(1, Math.round(info.width * scale))
    for (const encode of encodings(format)) {
      const small = sharp(data, { raw: { width: info.width, height: info.height, channels } }).resize({ width })
      const made = await pixelsOf(encode(small))
      if (made.data.length > maxBytes) continue
      const { format: kind, width: madeWidth, height } = made.info
      // A copy of its own: small results of sharp may share a pool, all of which would be sent.
      const bytes = new Uint8Array(made.data)
      return { mediaType: `image/${kind}`, bytes, width: madeWidth, height, resized: true }
    }
  }
  throw refuse("too_large", `it does not fit into ${maxBytes} bytes at any size`)
}

/** The image's own kind first; a JPEG, which has no transparency, where that becomes too large. */
function encodings(format: string): readonly ((picture: Sharp) => Sharp)[] {
  const jpeg = (quality: number) => (picture: Sharp) => picture.flatten({ background: "#ffffff" }).jpeg({ quality })
  const own = (picture: Sharp) => (format === "webp" ? picture.webp({ quality: 85 }) : picture.png())
  return [...(format === "jpeg" ? [] : [own]), jpeg(85), jpeg(60)]
}
