import { lstat } from "node:fs/promises"
import { join } from "node:path"
import { decodePath, PathListReader } from "./grep-output-reader.js"
import { fixedArguments, ignoreArguments, listArguments, locateRipgrep } from "./ripgrep-program.js"
import { startRipgrep } from "./start-ripgrep.js"

/** How much of a folder is listed. */
export interface ListOptions {
  /** The most files that are kept: the ones that changed last. */
  readonly maxFiles: number
  readonly signal: AbortSignal
}

/** The files below a folder, as paths relative to it with "/"; ignored files and installed packages are left out. */
export async function listFiles(root: string, { maxFiles, signal }: ListOptions): Promise<readonly string[]> {
  const paths: string[] = []
  const reader = new PathListReader((path) => paths.push(decodePath(path)))
  const most = maxFiles * lookedAtTimes
  await startRipgrep({
    program: await locateRipgrep(),
    arguments: [...fixedArguments, "--glob=!node_modules", ...ignoreArguments(root, root), ...listArguments, "./"],
    cwd: root,
    signal,
    stopAtMs: Date.now() + maxScanMs,
    take: (chunk) => {
      reader.push(chunk)
      return paths.length >= most
    },
    // A folder that cannot be read is left out.
    complain: () => undefined,
  }).ended
  return paths.length <= maxFiles ? paths : newest(root, paths.slice(0, most), maxFiles, signal)
}

// Beyond these many files, and this time, the ones that changed last are chosen among those seen so far.
const lookedAtTimes = 4
const maxScanMs = 10_000

async function newest(root: string, paths: readonly string[], count: number, signal: AbortSignal) {
  const dated: { readonly path: string; readonly changed: number }[] = []
  let next = 0
  const worker = async () => {
    for (let index = next++; index < paths.length && !signal.aborted; index = next++) {
      const path = paths[index]!
      const changed = await lstat(join(root, path)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      )
      dated.push({ path, changed })
    }
  }
  // Two at a time: other work needs the threads that look at files too.
  await Promise.all([worker(), worker()])
  dated.sort((one, other) => other.changed - one.changed || (one.path < other.path ? -1 : 1))
  return dated.slice(0, count).map(({ path }) => path)
}
