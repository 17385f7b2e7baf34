import sharp from "sharp"
import { afterEach, expect, test } from "vitest"
import { failure } from "../../../test/failure.js"
import { openBench, type ToolBench } from "../../../test/tool-bench.js"
import { read } from "./index.js"

let bench: ToolBench
afterEach(() => bench?.close())

test.each(["png", "jpeg", "gif", "webp"] as const)(
  "a %s is attached by its first bytes, whatever its name",
  async (format) => {
    const image = await sharp({ create: { width: 8, height: 5, channels: 3, background: "red" } })
      .toFormat(format)
      .toBuffer()
    bench = await openBench({ "picture.txt": image })
    const { data, text, attachments } = await bench.run(read, { file_path: "picture.txt" })
    expect(data).toMatchObject({
      content: "",
      media_type: `image/${format}`,
      image: { width: 8, height: 5, resized: false },
    })
    expect(text).toBe(`[Image: image/${format} 8x5, ${image.length} bytes]`)
    expect(attachments).toHaveLength(1)
    expect(Buffer.from(attachments[0]!.data, "base64").equals(image)).toBe(true)
    for (const range of [{ offset: 1 }, { limit: 5 }, { byte_offset: 0 }]) {
      expect((await failure(bench.run(read, { file_path: "picture.txt", ...range }))).code).toBe("invalid_args")
    }
  },
)

test("a large image is scaled down to what models take", async () => {
  const noise = Buffer.from(Array.from({ length: 2000 * 1000 * 3 }, (_, index) => (index * 7919) % 251))
  const image = await sharp(noise, { raw: { width: 2000, height: 1000, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer()
  bench = await openBench({ "a.png": image })
  const { data, text, attachments } = await bench.run(read, { file_path: "a.png" })
  expect(data.image).toMatchObject({ width: 1568, height: 784, resized: true })
  expect(text).toContain("scaled down")
  const size = await sharp(Buffer.from(attachments[0]!.data, "base64")).metadata()
  expect([size.width, size.height]).toEqual([1568, 784])
})

test("bytes that only begin like an image are a typed failure", async () => {
  bench = await openBench({ "a.png": Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(64)]) })
  expect(["unsupported", "backend"]).toContain((await failure(bench.run(read, { file_path: "a.png" }))).code)
})
