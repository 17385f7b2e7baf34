import { statSync } from "node:fs"
import { release } from "node:os"

/** Changes when one of the programs or the kernel is another one. */
export function fingerprint(programs: readonly string[]): string {
  const parts = programs.map((path) => {
    const { dev, ino, size, mtimeMs } = statSync(path)
    return [path, dev, ino, size, mtimeMs].join(":")
  })
  return [release(), process.getuid?.() ?? "", ...parts].join(" ")
}
