import { readSync } from "node:fs"

const buffer = Buffer.allocUnsafeSlow(16 * 1024)

/** The text of a kernel file that is held open, from its beginning: one question instead of four. */
export function readWhole(descriptor: number): string {
  let text = ""
  for (let place = 0; ; ) {
    const count = readSync(descriptor, buffer, 0, buffer.length, place)
    if (count === 0) return text
    text += buffer.toString("latin1", 0, count)
    place += count
  }
}
