import { createHash } from "node:crypto"
import { gzipSync } from "node:zlib"
import { type CpioEntry, cpioArchive } from "./cpio-archive.js"
import { confineProgram, seedProgram } from "./guest-programs.js"
import { initApplets, initScript } from "./init-script.js"

/** What an image brings to its initial file system. */
export interface DriverParts {
  /** A static busybox. */
  readonly busybox: Uint8Array
  /** Kernel modules in the order in which they are loaded. */
  readonly modules: readonly { readonly name: string; readonly content: Uint8Array }[]
}

const folder = 0o040755
const program = 0o100755
const plain = 0o100644
const link = 0o120777
const device = 0o020600
const folders = ["bin", "dev", "io", "layer", "lower", "modules", "proc", "root"] as const
const text = new TextEncoder()

/** The part of the initial file system that belongs to the image: busybox and drivers, compressed. */
export function buildDrivers({ busybox, modules }: DriverParts): Uint8Array {
  const entries: CpioEntry[] = [
    ...folders.map((path) => ({ path, mode: folder })),
    // The kernel opens it for the first process before anything is mounted.
    { path: "dev/console", mode: device, device: { major: 5, minor: 1 } },
    { path: "bin/busybox", mode: program, content: busybox },
    ...initApplets.map((applet) => ({ path: `bin/${applet}`, mode: link, content: text.encode("busybox") })),
    ...modules.map(({ name, content }, index) => ({
      path: `modules/${String(index).padStart(2, "0")}-${name}.ko`,
      mode: plain,
      content,
    })),
  ]
  return gzipSync(cpioArchive(entries), { level: 6 })
}

/** The whole initial file system: the kernel unpacks one archive after the other. */
export function buildInitrd(drivers: Uint8Array): Uint8Array {
  return Buffer.concat([drivers, gzipSync(guestArchive())])
}

/** Names the programs that Haft puts into a guest; an image with others does not speak with this Haft. */
export function guestVersion(): string {
  return createHash("sha256").update(guestArchive()).digest("hex").slice(0, 16)
}

function guestArchive(): Uint8Array {
  return cpioArchive([
    { path: "init", mode: program, content: text.encode(initScript()) },
    { path: "bin/seed", mode: program, content: seedProgram() },
    { path: "bin/confine", mode: program, content: confineProgram() },
  ])
}
