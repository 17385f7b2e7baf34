import { lstat, mkdir, readFile, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { ToolError } from "@haft/contract"
import { imageFiles } from "./image.js"
import { runProgram } from "./run-program.js"

const mebibyte = 1024 * 1024

/** How a root file system is made. */
export interface RootfsOptions {
  readonly signal?: AbortSignal | undefined
  /** Looks at the files before they are gone; they may be hostile where the archive is not ours. */
  readonly look?: (root: string) => Promise<void>
}

/** Makes the root file system in `folder` out of a tar archive and returns which system it holds. */
export async function makeRootfs(archive: string, folder: string, options: RootfsOptions = {}): Promise<string> {
  const { signal, look } = options
  const root = join(folder, "root")
  const output = join(folder, imageFiles.rootfs)
  await mkdir(root, { mode: 0o700 })
  const { size } = await stat(archive)
  // Blocks, inodes and tables of a file system of small files take about a fifth more than the archive.
  const megabytes = Math.ceil((size * 1.25) / mebibyte) + 32
  // In one process tree: where root is only played, it is played for both programs.
  const script = [
    'tar --extract --numeric-owner --preserve-permissions --file "$1" --directory "$2" --exclude "./dev/*" --exclude "dev/*"',
    'mke2fs -q -t ext4 -O ^has_journal -m 0 -E hash_seed="$5",root_owner=0:0 -U "$5" -d "$2" "$3" "$4"',
  ].join(" && ")
  const uuid = "68616674-2d62-4f78-8000-000000000000"
  await runProgram([...played(), "sh", "-c", script, "sh", archive, root, output, `${megabytes}M`, uuid], {
    ...(signal && { signal }),
  })
  const os = await systemOf(root)
  await look?.(root)
  await rm(root, { recursive: true })
  return os
}

/** Ownership in the image is that of the archive, also where the builder is an ordinary user. */
function played(): readonly string[] {
  return process.getuid?.() === 0 ? [] : ["fakeroot", "--"]
}

/** The real name and version of the system, whatever the image is called. */
async function systemOf(root: string): Promise<string> {
  for (const path of ["etc/os-release", "usr/lib/os-release"]) {
    try {
      // A link out of the image would be read on the host.
      if (!(await lstat(join(root, path))).isFile()) continue
      const values = Object.fromEntries(
        (await readFile(join(root, path), "utf8"))
          .split("\n")
          .map((line) => /^([A-Z_]+)="?([^"]*)"?$/.exec(line.trim()))
          .filter((match) => match !== null)
          .map(([, key, value]) => [key!, value!]),
      )
      if (values.ID) return [values.ID, values.VERSION_ID].filter(Boolean).join(" ")
    } catch {
      // The other place may have it.
    }
  }
  throw new ToolError("invalid_args", "Cannot use the root file system: it has no etc/os-release")
}
