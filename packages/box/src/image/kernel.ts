import { spawn } from "node:child_process"
import { readdir, readFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { gunzipSync } from "node:zlib"
import { ToolError } from "@haft/contract"

/** A kernel module, expanded. */
interface KernelModule {
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

const elfMagic = 0x7f454c46

/** The kernel itself out of a bzImage: it boots without the guest unpacking it first, which takes seconds when emulated. */
export async function extractKernel(image: Uint8Array): Promise<Uint8Array> {
  const view = new DataView(image.buffer, image.byteOffset, image.byteLength)
  // Offsets of the Linux boot protocol.
  if (image.length < 0x260 || view.getUint32(0x202) !== 0x48647253) throw unusable("it is no bzImage")
  const setupSectors = image[0x1f1] || 4
  const payload = (setupSectors + 1) * 512 + view.getUint32(0x248, true)
  const length = view.getUint32(0x24c, true)
  const kernel = await expand(image.subarray(payload, payload + length))
  const found = new DataView(kernel.buffer, kernel.byteOffset, kernel.byteLength)
  if (kernel.length < 1_000_000 || found.getUint32(0) !== elfMagic) throw unusable("its payload is no kernel")
  return kernel
}

function unusable(reason: string): ToolError {
  return new ToolError("backend", `Cannot use the kernel image: ${reason}`)
}

const formats = [
  { name: "gzip", magic: [0x1f, 0x8b] },
  { name: "xz", magic: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00] },
  { name: "zstd", magic: [0x28, 0xb5, 0x2f, 0xfd] },
  { name: "lz4", magic: [0x02, 0x21, 0x4c, 0x18] },
] as const

/** The content of something that may be compressed; plain content comes back as it is. */
async function expand(content: Uint8Array): Promise<Uint8Array> {
  const format = formats.find(({ magic }) => magic.every((byte, index) => content[index] === byte))
  if (format === undefined) return content
  return format.name === "gzip" ? gunzipSync(content) : expandWith(format.name, content)
}

function expandWith(program: string, content: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, ["-d", "-c"], { stdio: ["pipe", "pipe", "ignore"] })
    const pieces: Buffer[] = []
    child.on("error", () => {
      reject(
        new ToolError("not_configured", `Cannot expand the kernel: "${program}" is not installed`, {
          hint: `Install it, for instance with: apt-get install ${program === "xz" ? "xz-utils" : program}`,
        }),
      )
    })
    child.stdout.on("data", (piece: Buffer) => pieces.push(piece))
    // A kernel ends with its size, which is no part of the stream: the program complains, but all of it came out.
    child.on("close", () => {
      if (pieces.length > 0) resolve(Buffer.concat(pieces))
      else reject(new ToolError("backend", `Cannot expand the kernel: "${program}" gave nothing`))
    })
    child.stdin.on("error", () => undefined)
    child.stdin.end(content)
  })
}
