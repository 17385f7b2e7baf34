import { join } from "node:path"
import {
  chooseBackend,
  type ChosenBackend,
  createLimiter,
  findOwnProgram,
  type Identity,
  type WallFiles,
  withDefaults,
  writeWallFiles,
} from "@haft/host"
import type { BoxSettings } from "../box-options.js"

/** What confines commands where the kernel of the host serves them too. */
export interface NamespaceHost {
  readonly chosen: ChosenBackend
  readonly files: WallFiles
  /** Takes the root file system of an image apart without mounting it. */
  readonly debugfs: string
}

/** What finding it depends on. */
export type NamespaceHostOptions = Pick<BoxSettings, "imagesFolder" | "programFolders">

/** Finds bubblewrap and proves by running it that its wall holds; the result is the reason where it does not. */
export async function findNamespaceHost(
  options: NamespaceHostOptions,
  signal: AbortSignal,
): Promise<NamespaceHost | string> {
  if (process.platform !== "linux" || process.arch !== "x64") return "images need Linux on x86-64"
  const { programFolders } = options
  for (const program of ["bwrap", "debugfs"]) {
    if (findOwnProgram(program, programFolders) === undefined) return `${program} not found`
  }
  // No image can have this name.
  const files = writeWallFiles(join(options.imagesFolder, ".host"))
  const limiter = createLimiter(withDefaults())
  try {
    const identityFor = (): Identity => ownIdentity()
    const chosen = await chooseBackend({
      ...{ searchPath: programFolders, roots: [], names: ["bwrap"], files, limiter, identityFor, signal },
    })
    if (!("backend" in chosen)) return chosen.map(({ reason }) => reason).join("; ")
    return { chosen, files, debugfs: findOwnProgram("debugfs", programFolders)! }
  } finally {
    await limiter.close()
  }
}

/** Whoever started Haft, without any right: nothing in the view is worth another owner. */
function ownIdentity(): Identity {
  const uid = process.getuid?.() ?? 0
  return uid === 0 ? { kind: "root" } : { kind: "self", uid, gid: process.getgid?.() ?? uid }
}
