import { readdir, readFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { ToolError } from "@haft/contract"
import { expand } from "./expand.js"

/** A kernel module, expanded. */
export interface KernelModule {
  readonly name: string
  readonly content: Uint8Array
}

/** The drivers that the guest needs; those that the kernel has built in are not loaded. */
const wantedModules = ["virtio_mmio", "virtio_pci", "virtio_blk", "virtio_console", "overlay"] as const

/** The wanted modules of a kernel and what they depend on, in the order in which they can be loaded. */
export async function kernelModules(modulesFolder: string): Promise<readonly KernelModule[]> {
  const files = await moduleFiles(modulesFolder)
  const builtIn = new Set((await readText(join(modulesFolder, "modules.builtin"))).split("\n").map(moduleName))
  const ordered = new Map<string, KernelModule>()
  const add = async (name: string): Promise<void> => {
    if (ordered.has(name) || builtIn.has(name)) return
    const file = files.get(name)
    if (file === undefined) {
      throw new ToolError("backend", `Cannot build the image: the kernel has no driver "${name}"`)
    }
    const content = await expand(await readFile(file))
    for (const dependency of dependencies(content)) await add(dependency)
    ordered.set(name, { name, content })
  }
  for (const name of wantedModules) await add(name)
  return [...ordered.values()]
}

async function moduleFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return new Map(
    entries
      .filter((entry) => entry.isFile() && /\.ko(\.(gz|xz|zst))?$/.test(entry.name))
      .map((entry) => [moduleName(entry.name), join(entry.parentPath, entry.name)]),
  )
}

function moduleName(path: string): string {
  return basename(path)
    .replace(/\.ko(\.\w+)?$/, "")
    .replaceAll("-", "_")
}

/** A module names what it needs in its own text, between zero bytes. */
function dependencies(content: Uint8Array): readonly string[] {
  const text = Buffer.from(content).toString("latin1")
  const list = /\0depends=([^\0]*)\0/.exec(text)?.[1] ?? ""
  return list.split(",").filter(Boolean).map(moduleName)
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8")
  } catch {
    return ""
  }
}
