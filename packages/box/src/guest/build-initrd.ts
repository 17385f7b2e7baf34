import { createHash } from "node:crypto"
import { gunzipSync, gzipSync } from "node:zlib"
import { agentScript } from "./agent-script.js"
import { initApplets, initScript } from "./init-script.js"

/** What an image brings to its initial file system. */
export interface DriverParts {
  /** A static busybox. */
  readonly busybox: Uint8Array
  /** Perl with its libraries, by their paths in the initial file system. */
  readonly perl: readonly { readonly path: string; readonly content: Uint8Array }[]
  /** Kernel modules in the order in which they are loaded. */
  readonly modules: readonly { readonly name: string; readonly content: Uint8Array }[]
}

/** Perl and what it is linked with, as the packages of Debian and Ubuntu lay it out. */
export const perlFiles = [
  "bin/perl",
  "lib64/ld-linux-x86-64.so.2",
  ...["libc.so.6", "libm.so.6", "libcrypt.so.1"].map((name) => `lib/x86_64-linux-gnu/${name}`),
] as const

const folder = 0o040755
const program = 0o100755
const plain = 0o100644
const link = 0o120777
const device = 0o020600
const folders = [
  ...["bin", "dev", "io", "layer", "lib", "lib/x86_64-linux-gnu", "lib64"],
  ...["lower", "modules", "proc", "root"],
] as const
const text = new TextEncoder()

/** The part of the initial file system that belongs to the image: busybox, Perl and drivers, compressed. */
export function buildDrivers({ busybox, perl, modules }: DriverParts): Uint8Array {
  const entries: CpioEntry[] = [
    ...folders.map((path) => ({ path, mode: folder })),
    // The kernel opens it for the first process before anything is mounted.
    { path: "dev/console", mode: device, device: { major: 5, minor: 1 } },
    { path: "bin/busybox", mode: program, content: busybox },
    ...perl.map(({ path, content }) => ({ path, mode: program, content })),
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

/** Whether that part holds Perl; images of earlier versions have none. */
export function holdsPerl(drivers: Uint8Array): boolean {
  return gunzipSync(drivers).includes(`${perlFiles[0]}\0`)
}

/** Names the programs that Haft puts into a guest; an image with others does not speak with this Haft. */
export function guestVersion(): string {
  return createHash("sha256").update(guestArchive()).digest("hex").slice(0, 16)
}

function guestArchive(): Uint8Array {
  return cpioArchive([
    { path: "init", mode: program, content: text.encode(initScript) },
    { path: "agent", mode: plain, content: text.encode(agentScript) },
  ])
}

/** One file, folder or link of an initial file system. */
interface CpioEntry {
  /** Relative, without a leading slash. */
  readonly path: string
  /** Type and permission bits. */
  readonly mode: number
  readonly content?: Uint8Array
  /** Device number of a character device. */
  readonly device?: { readonly major: number; readonly minor: number }
}

/** An archive in the "newc" format, which the kernel unpacks as its initial file system. Equal entries give equal bytes. */
function cpioArchive(entries: readonly CpioEntry[]): Uint8Array {
  const parts = [...entries, { path: "TRAILER!!!", mode: 0 }].flatMap((entry, index) => entryParts(entry, index + 1))
  const archive = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    archive.set(part, at)
    at += part.length
  }
  return archive
}

function entryParts({ path, mode, content = new Uint8Array(), device }: CpioEntry, inode: number): Uint8Array[] {
  const name = new TextEncoder().encode(`${path}\0`)
  // magic, inode, mode, uid, gid, links, mtime, size, device of the file system (2), own device (2), name size, check
  const fields = [inode, mode, 0, 0, 1, 0, content.length, 0, 0, device?.major ?? 0, device?.minor ?? 0, name.length, 0]
  const header = new TextEncoder().encode(`070701${fields.map(hex).join("")}`)
  return [header, name, padding(header.length + name.length), content, padding(content.length)]
}

function hex(value: number): string {
  return value.toString(16).padStart(8, "0")
}

function padding(length: number): Uint8Array {
  return new Uint8Array((4 - (length % 4)) % 4)
}
