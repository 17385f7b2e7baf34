import { createHash } from "node:crypto"
import { readFileSync, statSync } from "node:fs"
import { join, sep } from "node:path"
import { findIndex, type IndexPlace, readText } from "./find-index.js"
import { type GitObject, GitObjects } from "./git-objects.js"

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

  /** Whether the file at this absolute path is committed; false whenever that cannot be told. */
  has(path: string): boolean {
    if (!this.place || !this.head || !path.startsWith(this.place.workTree + sep)) return false
    try {
      const facts = statSync(path, { bigint: true })
      if (!facts.isFile() || facts.size > maxFileBytes) return false
      const version = [facts.dev, facts.ino, facts.size, facts.mtimeNs, facts.ctimeNs].join(":")
      const known = this.answers.get(path)
      if (known?.version === version) return known.answer
      const answer = this.committedId(path) === blobId(readFileSync(path), this.place.hashBytes)
      if (this.answers.size >= maxFiles) this.answers.clear()
      this.answers.set(path, { version, answer })
      return answer
    } catch {
      return false
    }
  }

  /** The object that the commit has at this path. */
  private committedId(path: string): string | undefined {
    const commit = this.objects!.read(this.head!)
    if (commit?.kind !== "commit") return undefined
    let id = /^tree ([0-9a-f]+)\n/.exec(commit.bytes.toString("latin1", 0, 80))?.[1]
    for (const name of path.slice(this.place!.workTree.length + 1).split(sep)) {
      const tree = id === undefined ? undefined : this.tree(id)
      id = tree?.kind === "tree" ? entryOf(tree.bytes, name, this.place!.hashBytes) : undefined
    }
    return id
  }

  private tree(id: string): GitObject | undefined {
    if (this.trees.has(id)) return this.trees.get(id)
    const tree = this.objects!.read(id)
    if (this.trees.size >= maxTrees) this.trees.clear()
    this.trees.set(id, tree)
    return tree
  }
}

/** Entries of a tree are `mode name NUL id`. */
function entryOf(tree: Buffer, name: string, hashBytes: number): string | undefined {
  const wanted = Buffer.from(name)
  for (let at = 0; at < tree.length; ) {
    const start = tree.indexOf(0x20, at) + 1
    const end = tree.indexOf(0, start)
    if (start === 0 || end < 0) return undefined
    if (wanted.equals(tree.subarray(start, end))) return tree.toString("hex", end + 1, end + 1 + hashBytes)
    at = end + 1 + hashBytes
  }
  return undefined
}

function blobId(content: Buffer, hashBytes: 20 | 32): string {
  const hash = createHash(hashBytes === 20 ? "sha1" : "sha256")
  return hash.update(`blob ${content.length}\0`).update(content).digest("hex")
}

/** The commit that HEAD leads to; undefined before the first one. */
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
