import { lstat, readlink } from "node:fs/promises"
import { join } from "node:path"
import type { Mount, WallFiles } from "@haft/host"
import type { GuestFile } from "../job/check-files.js"
import { readOnlyEntries, writablePlaces } from "../tree/writable-places.js"

/** What the view of a command is made from. */
export interface TreeViewRequest {
  /** The root file system of the image as a folder. */
  readonly root: string
  readonly files: readonly GuestFile[]
  readonly built: Pick<WallFiles, "hosts">
  /** Each of the file systems in memory. */
  readonly memoryBytes: number
}

/** The image read-only, with memory where commands write; nothing of the host but a file of names. */
export async function treeView({ root, files, built, memoryBytes }: TreeViewRequest): Promise<readonly Mount[]> {
  const entries = await readOnlyEntries(root)
  const memory = (target: string): Mount => ({ kind: "memory", target, maxBytes: memoryBytes, mode: modeOf(target) })
  return [
    ...(await Promise.all(entries.map((name) => imageEntry(root, name)))).flat(),
    { kind: "processes", target: "/proc" },
    { kind: "devices", target: "/dev" },
    memory("/dev/shm"),
    ...(await writablePlaces(root, files)).map(memory),
    ...((await isFile(join(root, "etc/hosts")))
      ? [{ kind: "read", source: built.hosts, target: "/etc/hosts" } as const]
      : []),
    { kind: "freeze", target: "/" },
  ]
}

function modeOf(target: string): number {
  return ["/dev/shm", "/tmp", "/var/tmp"].includes(target) ? 0o1777 : 0o755
}

async function imageEntry(root: string, name: string): Promise<readonly Mount[]> {
  const source = join(root, name)
  const target = `/${name}`
  const facts = await lstat(source)
  if (facts.isSymbolicLink()) return [{ kind: "link", target, text: await readlink(source) }]
  return facts.isDirectory() || facts.isFile() ? [{ kind: "read", source, target }] : []
}

async function isFile(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isFile() ?? false
}
