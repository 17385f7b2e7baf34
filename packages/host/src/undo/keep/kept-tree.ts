import { randomBytes } from "node:crypto"
import { mkdirSync, readFileSync } from "node:fs"
import { lstat, mkdir, readdir, rename, rmdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { bestEffort, ignoreMissing, ToolError } from "@haft/contract"
import { giveNewName } from "../../files/move/give-new-name.js"
import { errnoOf } from "../../files/system/errno.js"
import { drive } from "../../files/system/program.js"
import { type ReadTree, readTree, type TreeLimits, type TreeOptions, treeMark } from "../../files/tree/read-tree.js"
import { removeOwnFolder, removeTree } from "../../files/tree/remove-tree.js"
import { openRoot } from "../../files/walk/open-root.js"
import type { Root, Walk } from "../../files/walk/walk.js"
import type { Seat } from "../../files/write/make-parents.js"
import { tempName } from "../../files/write/temp-file.js"

/** What the history keeps of a folder, or of a file that is too large to be kept by its content alone. */
export const treeLimits: TreeLimits = { entries: 100_000, bytes: 1024 ** 3 }

/** Whether an identity in an effect describes a kept tree. */
export function isTree(identity: string | null): identity is string {
  return identity?.startsWith(treeMark) === true
}

/** Copies what is at a place into the history. The identity finds it again; a copy that is there already is taken. */
export async function keepTree(
  historyFolder: string,
  from: Seat,
  options: Pick<TreeOptions, "walk" | "action" | "path" | "takes" | "onEntry">,
): Promise<ReadTree> {
  const made = join(historyFolder, "trees", `new-${randomBytes(8).toString("hex")}`)
  mkdirSync(made, { recursive: true, mode: 0o700 })
  try {
    const tree = await withRoot(made, (root) =>
      readTree(from, { ...options, limits: treeLimits, copyTo: { directory: root.held, name: entryName } }),
    )
    await writeFile(join(made, sizeName), String(tree.bytes), { mode: 0o600 })
    await rename(made, treeFolder(historyFolder, tree.identity)).catch((error: unknown) => {
      if (!taken.has(errnoOf(error) ?? "")) throw error
    })
    return tree
  } finally {
    await removeOwnFolder(made)
  }
}

/** Puts a kept tree where nothing is. It gets its name when it is complete, and proven to be what was kept. */
export async function restoreTree(historyFolder: string, identity: string, seat: Seat, walk: Walk): Promise<void> {
  const folder = treeFolder(historyFolder, identity)
  const path = join(seat.directory.path, seat.name)
  const temp = { directory: seat.directory, name: tempName(seat.name) }
  const options = { walk, action: "undo", path, limits: treeLimits, copyTo: temp }
  const tree = await withRoot(folder, (root) => readTree({ directory: root.held, name: entryName }, options)).catch(
    (error: unknown) => {
      if (ToolError.is(error) && error.code === "not_found") throw gone(path)
      throw error
    },
  )
  try {
    if (tree.identity !== identity) throw gone(path)
    await nameTree(temp, seat)
  } catch (error) {
    await removeTree(temp, walk)
    throw error
  }
}

/** Gives what was made under a temporary name its own, where nothing has that name. */
export async function nameTree(temp: Seat, seat: Seat): Promise<void> {
  const [from, to] = [temp.directory.entry(temp.name), seat.directory.entry(seat.name)]
  const facts = await lstat(from)
  if (!facts.isDirectory()) return drive(giveNewName(from, to, facts), true)
  // A rename replaces a folder only when that is empty: with one of our own there it replaces nothing of anybody.
  await mkdir(to, { mode: 0o700 })
  try {
    await rename(from, to)
  } catch (error) {
    await rmdir(to)
    throw error
  }
}

/** Everything kept as trees, with its size, for those who remove the oldest. */
export async function keptTrees(historyFolder: string): Promise<readonly { path: string; size: number }[]> {
  const trees = join(historyFolder, "trees")
  const names = (await ignoreMissing(readdir(trees))) ?? []
  return names.map((name) => ({ path: join(trees, name), size: sizeOf(join(trees, name)) }))
}

const entryName = "entry"
const sizeName = "bytes"
const taken = new Set(["EEXIST", "ENOTEMPTY"])

function treeFolder(historyFolder: string, identity: string): string {
  return join(historyFolder, "trees", identity.slice(treeMark.length))
}

function sizeOf(folder: string): number {
  return Number(bestEffort("half made by a process that died", () => readFileSync(join(folder, sizeName), "utf8")) ?? 0)
}

async function withRoot<Result>(path: string, work: (root: Root) => Promise<Result>): Promise<Result> {
  const root = openRoot(path)
  try {
    return await work(root)
  } finally {
    root.close()
  }
}

function gone(path: string): ToolError {
  return new ToolError("not_found", `Cannot undo "${path}": what was there is not in the file history any more`)
}
