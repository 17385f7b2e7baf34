import { createHash } from "node:crypto"
import { lstatSync, readdirSync } from "node:fs"
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setImmediate as nextTurn } from "node:timers/promises"
import { ignoreMissing, ToolError } from "@haft/contract"
import { type Image, imageFiles } from "../image/image.js"
import { asideOf, sweepAside } from "../image/install-image.js"
import { runProgram } from "../image/run-program.js"
import { imageChanged } from "../refusal.js"

/** The root file system of an image as a folder. */
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
  const stamp = await ignoreMissing(readFile(join(folder, names.stamp), "utf8"))
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

// A few milliseconds of work, then everybody else has a turn; a thread for each file would cost ten times as much.
const filesAtOnce = 500

/** Identity of every file below a folder: while it is the same, nothing in it was changed. */
export async function treeStamp(root: string): Promise<string> {
  const hash = createHash("sha256")
  let count = 0
  // The list grows while it is walked, folder after folder, always in the same order.
  const folders = [""]
  for (const folder of folders) {
    for (const name of readdirSync(join(root, folder)).sort()) {
      const path = join(folder, name)
      const facts = lstatSync(join(root, path), { bigint: true })
      hash.update(`${path}\0${facts.mode} ${facts.size} ${facts.ino} ${facts.ctimeNs}\n`)
      if (facts.isDirectory()) folders.push(path)
      count += 1
      if (count % filesAtOnce === 0) await nextTurn()
    }
  }
  return hash.digest("hex")
}
