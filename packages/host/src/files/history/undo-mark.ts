import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { ObservedEffect } from "@haft/contract"
import { contentHash } from "../system/content-hash.js"

/** Remembers on disk that an undo has begun, until all of it is done. */
export interface UndoMark {
  /** An earlier undo of the same effects ended half-way: what it brought back already is no change of somebody else. */
  readonly isSet: boolean
  set(): void
  clear(): void
}

/** The mark of these effects, in the history that they are undone from. */
export function undoMark(historyFolder: string, effects: readonly ObservedEffect[]): UndoMark {
  const path = join(historyFolder, `undoing-${contentHash(Buffer.from(JSON.stringify(effects)))}`)
  return {
    isSet: existsSync(path),
    set() {
      try {
        mkdirSync(historyFolder, { recursive: true, mode: 0o700 })
        writeFileSync(path, "", { mode: 0o600 })
      } catch {
        // On a full disk an undo may be what makes room: it goes on, and only could not be resumed.
      }
    },
    clear() {
      rmSync(path, { force: true })
    },
  }
}
