import sharp from "sharp"
import { expect, test } from "vitest"
import { imageHeader } from "./image-header.js"

const create = { width: 321, height: 123, channels: 4, background: "#12345680" } as const

test("kind and size are read from every kind that models take", async () => {
  const encoded = {
    "image/png": await sharp({ create }).png().toBuffer(),
    "image/jpeg": await sharp({ create }).jpeg({ progressive: true }).withMetadata({ orientation: 3 }).toBuffer(),
    "image/gif": await sharp({ create }).gif().toBuffer(),
  }
  for (const [mediaType, bytes] of Object.entries(encoded)) {
    expect(imageHeader(bytes)).toEqual({ mediaType, width: 321, height: 123 })
  }
  for (const bytes of [
    await sharp({ create }).webp().toBuffer(),
    await sharp({ create }).removeAlpha().webp().toBuffer(),
    await sharp({ create }).webp({ lossless: true }).toBuffer(),
  ]) {
    expect(imageHeader(bytes)).toEqual({ mediaType: "image/webp", width: 321, height: 123 })
  }
})

test("a header that ends early is no header, wherever it ends", async () => {
  const jpeg = await sharp({ create }).jpeg().toBuffer()
  const whole = imageHeader(jpeg)
  for (let length = 0; length < 200; length += 1) {
    expect([undefined, whole?.width]).toContain(imageHeader(jpeg.subarray(0, length))?.width)
  }
  expect(imageHeader(new TextEncoder().encode("plain text"))).toBeUndefined()
})
