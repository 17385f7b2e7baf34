import { lstat, readdir } from "node:fs/promises"
import { join } from "node:path"
import { ToolError } from "@haft/contract"
import { liesIn } from "../walk/root-set.js"
import type { Target } from "../walk/walk.js"

/** How much a session may keep in its scratch folder: enough for work, too little to fill a disk. */
const scratchBytes = 100 * 1024 * 1024

/** Refuses a write that would make the scratch folder too large; every other place has room. */
export async function assertScratchRoom(
  scratchFolder: string | undefined,
  { path, target }: { readonly path: string; readonly target: Pick<Target, "shown"> },
  addedBytes: number,
): Promise<void> {
  if (scratchFolder === undefined || !liesIn(scratchFolder, path)) return
  if ((await usedBytes(scratchFolder)) + addedBytes <= scratchBytes) return
  throw new ToolError(
    "too_large",
    `Cannot write "${target.shown}": the scratch folder of this session would exceed ${scratchBytes} bytes; remove files from it first`,
  )
}

/** Bytes of the files below a folder; links count as themselves and are not followed. */
async function usedBytes(folder: string): Promise<number> {
  let used = 0
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name)
    used += entry.isDirectory() ? await usedBytes(path) : ((await lstat(path).catch(() => undefined))?.size ?? 0)
  }
  return used
}
