import { createReadStream } from "node:fs"
import { open } from "node:fs/promises"
import { createGunzip } from "node:zlib"
import { ToolError } from "@haft/contract"
import { createLayerRules } from "./layer-rules.js"
import { tarEntries } from "./tar-entries.js"

/**
 * Writes the layers of an image, lowest first, as one archive with what is there in the end. Only bytes are copied:
 * nothing of a layer is ever laid out on this host, where its links could lead somewhere.
 */
export async function flattenLayers(layers: readonly string[], archive: string): Promise<void> {
  const kept = await keptEntries(layers)
  const file = await open(archive, "wx", 0o600)
  try {
    const write = async (piece: Uint8Array): Promise<void> => {
      await file.writeFile(piece)
    }
    for (const [index, layer] of layers.entries()) {
      let number = 0
      for await (const { head, content } of tarEntries(await layerStream(layer))) {
        if (kept[index]!.has(number)) {
          await write(head)
          await content(write)
        }
        number += 1
      }
    }
    await write(new Uint8Array(1024))
  } finally {
    await file.close()
  }
}

/** The numbers of the entries that no upper layer hides, for each layer. */
async function keptEntries(layers: readonly string[]): Promise<readonly ReadonlySet<number>[]> {
  const rules = createLayerRules()
  const kept: Set<number>[] = []
  for (const layer of layers.toReversed()) {
    const numbers = new Set<number>()
    let number = 0
    for await (const { path, isFolder } of tarEntries(await layerStream(layer))) {
      if (rules.isKept(path)) numbers.add(number)
      rules.note(path, isFolder)
      number += 1
    }
    rules.below()
    kept.unshift(numbers)
  }
  return kept
}

async function layerStream(path: string): Promise<AsyncIterable<Uint8Array>> {
  const file = await open(path, "r")
  const start = Buffer.alloc(4)
  await file.read(start, 0, 4, 0).finally(() => file.close())
  if (start.readUInt32LE() === 0xfd2fb528) {
    throw new ToolError("unsupported", `Cannot use layer "${path}": it is compressed with zstd; use gzip layers`)
  }
  const plain = createReadStream(path, { highWaterMark: 256 * 1024 })
  if (start[0] !== 0x1f || start[1] !== 0x8b) return plain
  const expanded = createGunzip()
  // Told to who reads the expanded stream.
  plain.on("error", (error) => expanded.destroy(error))
  return plain.pipe(expanded)
}
