import { createHash } from "node:crypto"
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Probe } from "./probe-backend.js"

/** Remembers probes that succeeded, so that a session does not start with one; failures are tried anew each time. */
export interface ProbeCache {
  read(): Probe | undefined
  write(probe: Probe): void
  /** Forgets the probe: a sandbox failed although it had succeeded. */
  drop(): void
}

/** The memory for one backend in one state; another program, kernel, user or system-call filter is another key. */
export function probeCache(folder: string, key: string): ProbeCache {
  const file = join(folder, `probe-${createHash("sha256").update(key).digest("hex").slice(0, 24)}.json`)
  return {
    read() {
      try {
        const probe: unknown = JSON.parse(readFileSync(file, "utf8"))
        return isProbe(probe) ? probe : undefined
      } catch {
        return undefined
      }
    },
    write(probe) {
      const temporary = `${file}.${process.pid}`
      writeFileSync(temporary, JSON.stringify(probe), { mode: 0o600 })
      renameSync(temporary, file)
    },
    drop: () => rmSync(file, { force: true }),
  }
}

function isProbe(value: unknown): value is Probe {
  const { ok, checks, variant } = (value ?? {}) as Partial<Probe>
  return ok === true && Array.isArray(checks) && typeof variant?.processes === "boolean"
}
