import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A program that leaves a trace when something runs it. */
export interface Trap {
  readonly folder: string
  /** A command line that runs it; the name is the trace that it leaves. */
  program(name: string): string
  /** The names under which it was run. */
  sprung(): readonly string[]
  remove(): void
}

/** Sets a trap outside every workspace. */
export function setTrap(): Trap {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-trap-")))
  mkdirSync(join(folder, "sprung"))
  writeFileSync(join(folder, "run"), `#!/bin/sh\n: > "${folder}/sprung/$1"\nexit 1\n`)
  chmodSync(join(folder, "run"), 0o755)
  return {
    folder,
    program: (name) => `${folder}/run ${name}`,
    sprung: () => readdirSync(join(folder, "sprung")).sort(),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
