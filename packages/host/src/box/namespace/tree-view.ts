import { lstat, readdir, readlink } from "node:fs/promises"
import { join } from "node:path"
import type { Mount } from "../../sandbox/view/mount.js"
import type { WallFiles } from "../../sandbox/wall-files.js"
import { filesRefused, type GuestFile } from "../job/check-files.js"

/** What the view of a command is made from. */
export interface TreeViewRequest {
  /** The root file system of the image as a folder. */
  readonly root: string
  readonly files: readonly GuestFile[]
  readonly built: Pick<WallFiles, "hosts">
  /** Each of the file systems in memory. */
  readonly memoryBytes: number
}

// The wall's own, or writable, whatever the image has there.
const ownFolders = ["proc", "sys", "dev", "run", "tmp", "work", "home", "lost+found"]
const writableTrees = /^(home|run|tmp|var\/tmp|work)\//

/** The image read-only, with memory where commands write; nothing of the host but a file of names. */
export async function treeView({ root, files, built, memoryBytes }: TreeViewRequest): Promise<readonly Mount[]> {
  const entries = (await readdir(root)).filter((name) => !ownFolders.includes(name)).sort()
  const memory = (target: string, mode: number): Mount => ({ kind: "memory", target, maxBytes: memoryBytes, mode })
  return [
    ...(await Promise.all(entries.map((name) => imageEntry(root, name)))).flat(),
    { kind: "processes", target: "/proc" },
    { kind: "devices", target: "/dev" },
    memory("/dev/shm", 0o1777),
    memory("/tmp", 0o1777),
    memory("/run", 0o755),
    memory("/work", 0o755),
    memory("/home", 0o755),
    memory("/home/box", 0o755),
    ...((await isFolder(join(root, "var/tmp"))) ? [memory("/var/tmp", 0o1777)] : []),
    ...((await isFile(join(root, "etc/hosts")))
      ? [{ kind: "read", source: built.hosts, target: "/etc/hosts" } as const]
      : []),
    ...newFolders(files, entries).map((name) => memory(`/${name}`, 0o755)),
    { kind: "freeze", target: "/" },
  ]
}

/** Folders at the top that only the files of this job need; a file in a folder of the image has no place. */
function newFolders(files: readonly GuestFile[], entries: readonly string[]): readonly string[] {
  const names = new Set<string>()
  for (const { path } of files) {
    if (writableTrees.test(path)) continue
    const [top, ...rest] = path.split("/") as [string, ...string[]]
    if (rest.length === 0) throw filesRefused(`/${path}`, "the top folder is read-only at this isolation")
    if (entries.includes(top)) throw filesRefused(`/${path}`, `"/${top}" of the image is read-only at this isolation`)
    names.add(top)
  }
  return [...names].sort()
}

async function imageEntry(root: string, name: string): Promise<readonly Mount[]> {
  const source = join(root, name)
  const target = `/${name}`
  const facts = await lstat(source)
  if (facts.isSymbolicLink()) return [{ kind: "link", target, text: await readlink(source) }]
  return facts.isDirectory() || facts.isFile() ? [{ kind: "read", source, target }] : []
}

async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isDirectory() ?? false
}

async function isFile(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isFile() ?? false
}
