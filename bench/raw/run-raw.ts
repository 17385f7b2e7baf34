import { type SpawnOptions, spawn } from "node:child_process"

/** What a program that was started without anything around it did. */
export interface RawEnd {
  readonly code: number | null
  readonly bytes: number
}

/** A program to start, with its descriptors from 3 on. */
export interface RawProgram extends Pick<SpawnOptions, "cwd" | "env"> {
  readonly file: string
  readonly args: readonly string[]
  readonly extraFds?: readonly ("pipe" | number)[]
}

/** Spawns a program and counts the bytes that it prints. A process that waits at a pipe is let through at once. */
export function runRaw({ file, args, extraFds = [], ...options }: RawProgram): Promise<RawEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { ...options, stdio: ["ignore", "pipe", "pipe", ...extraFds] })
    let bytes = 0
    const count = (piece: Buffer) => {
      bytes += piece.length
    }
    child.stdout?.on("data", count)
    child.stderr?.on("data", count)
    for (const gate of child.stdio.slice(3)) {
      if (!gate || !("end" in gate)) continue
      // A process that does not wait at it may be gone before it is read.
      gate.on("error", () => undefined)
      gate.end("\n")
    }
    child.on("error", reject)
    child.on("close", (code) => resolve({ code, bytes }))
  })
}
