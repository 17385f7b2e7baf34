import { randomBytes } from "node:crypto"
import { constants, deflateRawSync, deflateSync } from "node:zlib"
import sharp, { type Sharp } from "sharp"
import { afterEach, expect, test } from "vitest"
import { createCompute } from "./create-compute.js"

const compute = createCompute()
const signal = new AbortController().signal
const model = { signal, mediaType: "image/png", maxEdge: 1568, maxBytes: 3_500_000 }

afterEach(() => compute.close())

test("a PDF becomes the text of its pages", async () => {
  const pages = await compute.pdfText(makePdf(["(First page) Tj", "(Second) Tj 0 -30 Td (line) Tj"]), { signal })
  expect(pages).toEqual(["First page", "Second\nline"])
})

test("the bytes that were handed over stay usable", async () => {
  const bytes = makePdf(["(Hello) Tj"])
  await compute.pdfText(bytes, { signal })
  expect(await compute.pdfText(bytes, { signal })).toEqual(["Hello"])
})

test("a damaged PDF is unsupported and says so", async () => {
  const damaged = compute.pdfText(new TextEncoder().encode("%PDF-1.7 and then nothing"), { signal })
  await expect(damaged).rejects.toMatchObject({ code: "unsupported", message: expect.stringContaining("damaged") })
})

test("an encrypted PDF is unsupported and says so", async () => {
  const key = "x".repeat(32)
  const encrypted = makePdf(["(secret) Tj"], { encrypt: `<</Filter/Standard/V 1/R 2/O(${key})/U(${key})/P -4>>` })
  await expect(compute.pdfText(encrypted, { signal })).rejects.toMatchObject({
    code: "unsupported",
    message: expect.stringContaining("password"),
  })
})

test("a PDF that takes too long is stopped, and the next job runs on a new worker", async () => {
  const slow = makePdf([`${"(word ) Tj ".repeat(400_000)}`])
  await expect(compute.pdfText(slow, { signal, timeoutMs: 60 })).rejects.toMatchObject({ code: "timeout" })
  expect(await compute.pdfText(makePdf(["(after) Tj"]), { signal })).toEqual(["after"])
})

test("a PDF whose page decompresses to gigabytes is stopped, and the process lives on", async () => {
  const bomb = makePdf([], { compressed: spaces(4 * 1024) })
  const failure: unknown = await compute.pdfText(bomb, { signal }).catch((error: unknown) => error)
  // On a slow machine the time is up before the memory is.
  expect(["too_large", "timeout"]).toContain((failure as { code?: string }).code)
  expect(await compute.pdfText(makePdf(["(after) Tj"]), { signal })).toEqual(["after"])
})

test("an aborted job is cancelled, also while it waits for its turn", async () => {
  const running = new AbortController()
  const waiting = new AbortController()
  const slow = makePdf([`${"(word ) Tj ".repeat(400_000)}`])
  const first = compute.pdfText(slow, { signal: running.signal }).catch((error: unknown) => error)
  const second = compute.pdfText(slow, { signal: waiting.signal }).catch((error: unknown) => error)
  waiting.abort()
  expect(await second).toMatchObject({ code: "cancelled" })
  running.abort()
  expect(await first).toMatchObject({ code: "cancelled" })
  await expect(compute.pdfText(slow, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "cancelled" })
})

test("an image within the limits comes back unchanged", async () => {
  for (const format of ["png", "jpeg", "webp", "gif"] as const) {
    const bytes = await picture(64, 48).toFormat(format).toBuffer()
    const fitted = await compute.fitImage(bytes, model)
    expect(fitted).toMatchObject({ mediaType: `image/${format}`, width: 64, height: 48, resized: false })
    expect(Buffer.from(fitted.bytes).equals(bytes)).toBe(true)
  }
})

test("a large image is made to fit and keeps its shape and kind", async () => {
  for (const format of ["png", "jpeg", "webp"] as const) {
    const fitted = await compute.fitImage(await picture(4000, 3000).toFormat(format).toBuffer(), model)
    expect(fitted).toMatchObject({ mediaType: `image/${format}`, width: 1568, height: 1176, resized: true })
    expect(await sharp(fitted.bytes).metadata()).toMatchObject({ format, width: 1568 })
  }
})

test("an image with too many bytes becomes a smaller JPEG", async () => {
  const noise = sharp(randomBytes(800 * 800 * 4), { raw: { width: 800, height: 800, channels: 4 } })
  const fitted = await compute.fitImage(await noise.png().toBuffer(), { ...model, maxBytes: 100_000 })
  expect(fitted).toMatchObject({ mediaType: "image/jpeg", resized: true })
  expect(fitted.bytes.length).toBeLessThanOrEqual(100_000)
})

test("a photo is turned as its camera says", async () => {
  const bytes = await picture(80, 40).withMetadata({ orientation: 6 }).jpeg().toBuffer()
  expect(await compute.fitImage(bytes, model)).toMatchObject({ width: 40, height: 80, resized: true })
})

test("of a moving image the first frame is taken", async () => {
  const frames = await Promise.all(["red", "blue"].map((color) => solid(20, 20, color)))
  const gif = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer()
  const fitted = await compute.fitImage(gif, { ...model, mediaType: "image/gif" })
  expect(fitted).toMatchObject({ mediaType: "image/png", width: 20, height: 20, resized: true })
  const { data } = await sharp(fitted.bytes).raw().toBuffer({ resolveWithObject: true })
  expect([data[0], data[2]]).toEqual([255, 0])
})

test("something that is no image, or half of one, is unsupported", async () => {
  const whole = await sharp(randomBytes(100 * 100 * 3), { raw: { width: 100, height: 100, channels: 3 } })
    .png()
    .toBuffer()
  for (const bytes of [Buffer.from("hello"), Buffer.alloc(0), Buffer.from("<svg/>"), whole.subarray(0, 5000)]) {
    await expect(compute.fitImage(bytes, model)).rejects.toMatchObject({ code: "unsupported" })
  }
})

test("a decompression bomb is too large, and is not decompressed", async () => {
  await expect(compute.fitImage(makePng(60_000, 60_000), model)).rejects.toMatchObject({ code: "too_large" })
})

test("many jobs at once all come to their end", async () => {
  const jobs = Array.from({ length: 20 }, (_, index) =>
    compute.pdfText(makePdf([`(Number ${index}) Tj`]), { signal: new AbortController().signal }),
  )
  expect((await Promise.all(jobs)).flat()).toEqual(jobs.map((_, index) => `Number ${index}`))
})

function picture(width: number, height: number): Sharp {
  return sharp({ create: { width, height, channels: 3, background: "#336699" } })
}

function solid(width: number, height: number, background: string): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()
}

/** A minimal PDF with one page for each piece of text operators, or one page with a compressed content stream. */
function makePdf(
  texts: readonly string[],
  { encrypt, compressed }: { readonly encrypt?: string; readonly compressed?: Buffer } = {},
): Uint8Array {
  const contents = texts.map((text) => Buffer.from(`BT /F1 24 Tf 72 700 Td ${text} ET`))
  const streams = compressed ? [compressed] : contents
  const filter = compressed ? "/Filter/FlateDecode" : ""
  const objects: Buffer[] = [
    Buffer.from("<</Type/Catalog/Pages 2 0 R>>"),
    Buffer.from(
      `<</Type/Pages/Kids[${streams.map((_, index) => `${4 + index * 2} 0 R`).join(" ")}]/Count ${streams.length}>>`,
    ),
    Buffer.from("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"),
    ...streams.flatMap((stream, index) => [
      Buffer.from(
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents ${5 + index * 2} 0 R/Resources<</Font<</F1 3 0 R>>>>>>`,
      ),
      Buffer.concat([
        Buffer.from(`<</Length ${stream.length}${filter}>>\nstream\n`),
        stream,
        Buffer.from("\nendstream"),
      ]),
    ]),
  ]
  if (encrypt !== undefined) objects.push(Buffer.from(encrypt))
  const parts: Buffer[] = [Buffer.from("%PDF-1.4\n")]
  const offsets: number[] = []
  let length = parts[0]!.length
  for (const [index, object] of objects.entries()) {
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from("\nendobj\n")])
    offsets.push(length)
    length += part.length
    parts.push(part)
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("")
  const encryption = encrypt === undefined ? "" : `/Encrypt ${objects.length} 0 R/ID[<00><00>]`
  const trailer = `trailer<</Size ${objects.length + 1}/Root 1 0 R${encryption}>>\nstartxref\n${length}\n%%EOF`
  parts.push(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}${trailer}`))
  return new Uint8Array(Buffer.concat(parts))
}

/** So many megabytes of spaces, compressed; a part that ends with a full flush may be repeated any number of times. */
function spaces(megabytes: number): Buffer {
  const part = deflateRawSync(Buffer.alloc(1024 * 1024, " "), { finishFlush: constants.Z_FULL_FLUSH })
  return Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array.from({ length: megabytes }, () => part)])
}

/** A PNG of one colour whose pixels take next to no room in the file. */
function makePng(width: number, height: number): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const row = Buffer.alloc(Math.ceil(width / 8) + 1)
  const pixels = deflateSync(Buffer.concat(Array.from({ length: 200 }, () => row)))
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1")
  return new Uint8Array(
    Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))]),
  )
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(checksum(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

function checksum(bytes: Buffer): number {
  let value = 0xffffffff
  for (const byte of bytes) {
    value ^= byte
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  }
  return (value ^ 0xffffffff) >>> 0
}
