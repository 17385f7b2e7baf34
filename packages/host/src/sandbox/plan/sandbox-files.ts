import { chmodSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { systemCallFilter } from "../seccomp/system-call-filter.js"
import type { FilterArchitecture } from "../seccomp/system-calls.js"
import type { BuiltFiles } from "../view/system-mounts.js"

/** Files that every sandbox of this machine uses. */
export interface SandboxFiles extends BuiltFiles {
  readonly folder: string
  /** The system-call filter; undefined for architectures without one. */
  readonly filter?: string
}

/** Writes the files where they are missing or differ; they are the same for every session. */
export function writeSandboxFiles(
  haftHome: string,
  { unixSockets = false }: { unixSockets?: boolean } = {},
): SandboxFiles {
  const folder = join(haftHome, "sandbox")
  mkdirSync(join(folder, "root"), { recursive: true, mode: 0o700 })
  const file = (name: string, bytes: Uint8Array, mode: number) => {
    const path = join(folder, name)
    if (!isSame(path, bytes, mode)) {
      writeFileSync(path, bytes, { mode })
      chmodSync(path, mode)
    }
    return path
  }
  const architecture = filterArchitecture()
  return {
    folder,
    blank: file("blank", new Uint8Array(), 0o000),
    hosts: file("hosts", text("127.0.0.1 localhost\n::1 localhost\n"), 0o644),
    resolver: file("resolv.conf", text("# Names are resolved outside the sandbox.\n"), 0o644),
    ...(architecture && {
      filter: file(
        `filter-${architecture}${unixSockets ? "-unix" : ""}`,
        systemCallFilter({ architecture, unixSockets }),
        0o600,
      ),
    }),
  }
}

function filterArchitecture(): FilterArchitecture | undefined {
  if (process.platform !== "linux") return undefined
  return process.arch === "x64" || process.arch === "arm64" ? process.arch : undefined
}

function isSame(path: string, bytes: Uint8Array, mode: number): boolean {
  const facts = lstatSync(path, { throwIfNoEntry: false })
  if (!facts?.isFile() || (facts.mode & 0o777) !== mode || facts.size !== bytes.length) return false
  // An ordinary user cannot read the blank file, and there is nothing in it to compare.
  return bytes.length === 0 || readFileSync(path).equals(bytes)
}

function text(value: string): Uint8Array {
  return new TextEncoder().encode(value)
}
