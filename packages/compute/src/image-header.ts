/** What the first bytes of an image tell. */
export interface ImageHeader {
  readonly mediaType: string
  readonly width: number
  readonly height: number
}

/** Kind and size of a PNG, JPEG, GIF or WebP from its first bytes; undefined for anything else. */
export function imageHeader(bytes: Uint8Array): ImageHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    return readers.map((read) => read(view)).find((header) => header !== undefined)
  } catch (error) {
    // The bytes end within their header.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

type Reader = (view: DataView) => ImageHeader | undefined

const readers: readonly Reader[] = [readPng, readGif, readJpeg, readWebp]

function readPng(view: DataView): ImageHeader | undefined {
  if (!startsWith(view, "\x89PNG\r\n\x1a\n")) return undefined
  return { mediaType: "image/png", width: view.getUint32(16), height: view.getUint32(20) }
}

function readGif(view: DataView): ImageHeader | undefined {
  if (!startsWith(view, "GIF87a") && !startsWith(view, "GIF89a")) return undefined
  return { mediaType: "image/gif", width: view.getUint16(6, true), height: view.getUint16(8, true) }
}

function readJpeg(view: DataView): ImageHeader | undefined {
  if (!startsWith(view, "\xff\xd8\xff")) return undefined
  for (let at = 2; ; ) {
    const marker = view.getUint8(at + 1)
    // Fill bytes before a marker and markers without content are passed over one byte or one marker at a time.
    if (view.getUint8(at) !== 0xff || marker === 0xff) at += 1
    else if (isStandalone(marker)) at += 2
    else if (isFrame(marker)) {
      return { mediaType: "image/jpeg", height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
    } else at += 2 + view.getUint16(at + 2)
  }
}

/** SOF0 to SOF15 without the tables DHT, JPG and DAC, which are between them. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

function isStandalone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)
}

function readWebp(view: DataView): ImageHeader | undefined {
  if (!startsWith(view, "RIFF") || !startsWith(view, "WEBP", 8)) return undefined
  const mediaType = "image/webp"
  if (startsWith(view, "VP8X", 12)) return { mediaType, width: uint24(view, 24) + 1, height: uint24(view, 27) + 1 }
  if (startsWith(view, "VP8L", 12)) {
    const bits = view.getUint32(21, true)
    return { mediaType, width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
  }
  if (!startsWith(view, "VP8 ", 12)) return undefined
  return { mediaType, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000
}

function startsWith(view: DataView, text: string, at = 0): boolean {
  if (view.byteLength < at + text.length) return false
  return [...text].every((character, index) => view.getUint8(at + index) === character.charCodeAt(0))
}
