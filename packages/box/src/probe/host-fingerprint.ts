import { readFile, stat } from "node:fs/promises"
import { release } from "node:os"

/** Names everything that the outcome of a probe depends on: this start of this host, this user, these programs and devices. */
export async function hostFingerprint(paths: readonly string[]): Promise<string> {
  const bootId = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "")
  const facts = await Promise.all(paths.map(factsOf))
  return [bootId.trim(), release(), String(process.getuid?.()), ...facts].join(" ")
}

async function factsOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeMs, mode, rdev } = await stat(path)
    return `${path}:${ino}:${size}:${mtimeMs}:${mode}:${rdev}`
  } catch {
    return `${path}:missing`
  }
}
