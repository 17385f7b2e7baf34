import { dirname, join } from "node:path"
import { isInside, ToolError } from "@haft/contract"
import type { FileSession } from "../file-session.js"
import { measureTrees } from "../tree/measure-tree.js"
import type { Target } from "../walk/walk.js"

/** How much a session may keep in its scratch folder: enough for work, too little to fill a disk. */
const scratchBytes = 100 * 1024 * 1024
/** How much it may keep in /tmp and in the home directory of its commands, together. */
const temporaryBytes = 1024 ** 3

/** Refuses a write that would make a folder of the session too large; every other place has room. */
export async function assertScratchRoom(
  { scratchFolder, temporary }: Pick<FileSession, "scratchFolder" | "temporary">,
  { path, target }: { readonly path: string; readonly target: Pick<Target, "shown"> },
  addedBytes: number,
): Promise<void> {
  const found = foldersAround(path, scratchFolder, temporary?.folder)
  if (!found || (await measureTrees(found.folders, found.maxBytes)) + addedBytes <= found.maxBytes) return
  const reason = `${found.name} of this session would exceed ${found.maxBytes} bytes`
  throw new ToolError("too_large", `Cannot write "${target.shown}": ${reason}; remove files from it first`)
}

function foldersAround(path: string, scratch: string | undefined, temporary: string | undefined) {
  if (scratch !== undefined && isInside(path, scratch)) {
    return { folders: [scratch], name: "the scratch folder", maxBytes: scratchBytes }
  }
  if (temporary === undefined || !isInside(path, temporary)) return undefined
  const folders = [temporary, join(dirname(temporary), "home")]
  return { folders, name: "/tmp and the home directory", maxBytes: temporaryBytes }
}
