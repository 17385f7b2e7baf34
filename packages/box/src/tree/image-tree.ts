import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { ToolError } from "@haft/contract"
import { type Image, imageFiles } from "../image/image.js"
import { asideOf, sweepAside } from "../image/install-image.js"
import { runProgram } from "../image/run-program.js"
import { imageChanged } from "../refusal.js"
import { treeStamp } from "./tree-stamp.js"

/** Where the root file system of an image stands as a folder. */
export interface ImageTree {
  readonly root: string
}

/** How the folder is made. */
export interface TreeOptions {
  readonly imagesFolder: string
  readonly debugfs: string
  readonly signal: AbortSignal
}

const names = { root: "root", stamp: "stamp" } as const

/** The root file system of an image as a folder: taken apart at the first use, and refused when it was changed since. */
export async function openImageTree(image: Image, options: TreeOptions): Promise<ImageTree> {
  const folder = join(image.folder, `tree-${image.files.rootfs.sha256.slice(0, 32)}`)
  const stamp = await readFile(join(folder, names.stamp), "utf8").catch(() => undefined)
  const root = join(folder, names.root)
  if (stamp === undefined) await makeTree(image, folder, options)
  else if (stamp !== (await treeStamp(root))) throw imageChanged(image.name, `tree of ${imageFiles.rootfs}`)
  return { root }
}

async function makeTree(image: Image, folder: string, { imagesFolder, debugfs, signal }: TreeOptions): Promise<void> {
  await sweepAside(imagesFolder)
  const draft = asideOf(imagesFolder)
  const root = join(draft, names.root)
  await mkdir(root, { recursive: true, mode: 0o755 })
  try {
    const complaints: string[] = []
    const onLine = (line: string) => void (isComplaint(line) && complaints.push(line))
    // Relative and without a blank, because debugfs takes its request apart at blanks.
    const request = `rdump / ${names.root}`
    const archive = join(image.folder, imageFiles.rootfs)
    await runProgram([debugfs, "-R", request, archive], { directory: draft, signal, onLine })
    // It says what went wrong and then ends as if nothing had.
    if (complaints.length > 0) throw notTakenApart(image.name, complaints[0]!)
    await writeFile(join(draft, names.stamp), await treeStamp(root))
    await rename(draft, folder).catch((error: NodeJS.ErrnoException) => {
      // Another process was faster with the same content.
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** All but the name of the program, and the owners that an ordinary user cannot give to files. */
function isComplaint(line: string): boolean {
  return !/^debugfs \d/.test(line) && !/while changing ownership/.test(line)
}

function notTakenApart(image: string, complaint: string): ToolError {
  return new ToolError("backend", `Cannot take image "${image}" apart: ${complaint.slice(0, 300)}`, {
    fix: "Free space on the disk, or build the image again",
    details: { ok: false, reason: "BOX_CRASHED", ran: false },
  })
}
