import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, readlinkSync, statSync } from "node:fs"
import { join, sep } from "node:path"
import { findIndex, type IndexPlace, readText } from "./find-index.js"
import { type GitObject, GitObjects, objectId } from "./git-objects.js"

/** Files that rules name are keys and certificates; a larger one counts as changed. */
const maxFileBytes = 1024 * 1024
const maxTrees = 256
const maxFiles = 4_096

/**
 * Tells which files were in the commit that was HEAD when this was made, with the content that they have now. Neither
 * the index nor a later commit counts: a command could write both. A repository further down than the root does not
 * count either: a command could make one.
 */
export class CommittedFiles {
  private readonly place: IndexPlace | undefined
  private readonly head: string | undefined
  private readonly objects: GitObjects | undefined
  private readonly trees = new Map<string, GitObject | undefined>()
  private readonly answers = new Map<string, { readonly version: string; readonly answer: boolean }>()

  constructor(root: string) {
    this.place = findIndex(root)
    this.head = this.place && readHead(this.place)
    this.objects = this.place && new GitObjects(join(this.place.commonFolder, "objects"), this.place.hashBytes)
  }

  /** Whether the file at this absolute path is committed; false whenever that cannot be known. */
  has(path: string): boolean {
    if (!this.place || !this.head || !path.startsWith(this.place.workTree + sep)) return false
    try {
      const facts = statSync(path, { bigint: true })
      if (!facts.isFile() || facts.size > maxFileBytes) return false
      const version = [facts.dev, facts.ino, facts.size, facts.mtimeNs, facts.ctimeNs].join(":")
      const known = this.answers.get(path)
      if (known?.version === version) return known.answer
      const entry = this.entryAt(path.slice(this.place.workTree.length + 1).split(sep))
      const answer = entry?.id === this.blobId(readFileSync(path))
      if (this.answers.size >= maxFiles) this.answers.clear()
      this.answers.set(path, { version, answer })
      return answer
    } catch {
      return false
    }
  }

  /**
   * Whether the commit has under this name, as its parts below the top of a work tree, what is at a path now: the same
   * file, with no second name, the same link, or a folder of whatever content. False whenever that cannot be known.
   */
  isCheckedOut(name: readonly string[], path: string | Buffer): boolean {
    if (!this.head || name.some((part) => part.toLowerCase() === ".git")) return false
    try {
      const entry = this.entryAt(name)
      const facts = lstatSync(path)
      if (entry?.mode === modes.folder) return facts.isDirectory()
      if (entry?.mode === modes.link) {
        return facts.isSymbolicLink() && this.blobId(readlinkSync(path, { encoding: "buffer" })) === entry.id
      }
      return entry !== undefined && this.isSameFile(path, entry)
    } catch {
      return false
    }
  }

  private isSameFile(path: string | Buffer, { mode, id }: TreeEntry): boolean {
    if (mode !== modes.file && mode !== modes.program) return false
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const facts = fstatSync(descriptor)
      if (!facts.isFile() || facts.nlink !== 1 || facts.size > maxFileBytes) return false
      if ((facts.mode & 0o7000) !== 0 || (mode === modes.file && (facts.mode & 0o111) !== 0)) return false
      return this.blobId(readFileSync(descriptor)) === id
    } finally {
      closeSync(descriptor)
    }
  }

  /** What the commit has under a name, as its parts below the top. */
  private entryAt(name: readonly string[]): TreeEntry | undefined {
    const commit = this.objects!.read(this.head!)
    if (commit?.kind !== "commit") return undefined
    const top = /^tree ([0-9a-f]+)\n/.exec(commit.bytes.toString("latin1", 0, 80))?.[1]
    let entry: TreeEntry | undefined = top === undefined ? undefined : { mode: modes.folder, id: top }
    for (const part of name) {
      const tree = entry === undefined ? undefined : this.tree(entry.id)
      entry = tree?.kind === "tree" ? entryOf(tree.bytes, part, this.place!.hashBytes) : undefined
    }
    return entry
  }

  private blobId(bytes: Buffer): string {
    return objectId({ kind: "blob", bytes }, this.place!.hashBytes)
  }

  private tree(id: string): GitObject | undefined {
    if (this.trees.has(id)) return this.trees.get(id)
    const tree = this.objects!.read(id)
    if (this.trees.size >= maxTrees) this.trees.clear()
    this.trees.set(id, tree)
    return tree
  }
}

interface TreeEntry {
  readonly mode: string
  readonly id: string
}

/** What is before a name in a tree of git. */
const modes = { file: "100644", program: "100755", link: "120000", folder: "40000" }

/** Entries of a tree are `mode name NUL id`. */
function entryOf(tree: Buffer, name: string, hashBytes: number): TreeEntry | undefined {
  const wanted = Buffer.from(name)
  for (let at = 0; at < tree.length; ) {
    const start = tree.indexOf(0x20, at) + 1
    const end = tree.indexOf(0, start)
    if (start === 0 || end < 0) return undefined
    if (wanted.equals(tree.subarray(start, end))) {
      const mode = tree.toString("latin1", at, start - 1)
      return { mode, id: tree.toString("hex", end + 1, end + 1 + hashBytes) }
    }
    at = end + 1 + hashBytes
  }
  return undefined
}

/** The commit that HEAD points to; undefined before the first one. */
function readHead({ gitFolder, commonFolder }: IndexPlace): string | undefined {
  let text = readText(join(gitFolder, "HEAD")).trim()
  for (let hops = 0; hops < 5; hops++) {
    if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)) return text
    const name = /^ref: (refs\/[^\0]+)$/.exec(text)?.[1]
    if (name === undefined || name.split("/").includes("..")) return undefined
    text = readText(join(commonFolder, name)).trim() || packedReference(commonFolder, name)
  }
  return undefined
}

function packedReference(commonFolder: string, name: string): string {
  const lines = readText(join(commonFolder, "packed-refs")).split("\n")
  return lines.find((line) => line.endsWith(` ${name}`))?.split(" ")[0] ?? ""
}
