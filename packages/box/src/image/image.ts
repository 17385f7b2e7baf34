import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { pipeline } from "node:stream/promises"

/** The names of an image's files in its folder. */
export const imageFiles = {
  manifest: "manifest.json",
  kernel: "vmlinux",
  initrd: "initrd",
  drivers: "drivers",
  rootfs: "rootfs.ext4",
} as const

/** One file of an image, as it was when the image was made. */
export interface ImageFile {
  readonly sha256: string
  readonly bytes: number
  /** Identity of the very file that was hashed: while it is the same, the content is too. */
  readonly stamp: string
}

/** A machine state that can be continued. */
export interface ImageSnapshot extends ImageFile {
  /** What the state depends on; another key cannot continue it. */
  readonly key: string
  readonly file: string
}

/** The parts of an image that are checked before it is used. */
export const imageParts = ["kernel", "initrd", "drivers", "rootfs"] as const
export type ImagePart = (typeof imageParts)[number]

/** What `manifest.json` of an image says. */
export interface ImageManifest {
  readonly format: 1
  readonly name: string
  /** Identity and version out of the image's own /etc/os-release. */
  readonly os: string
  /** Over the hashes of kernel, initial file system and root file system. */
  readonly digest: string
  /** Version of Haft's own programs in the initial file system. */
  readonly guest: string
  readonly createdAt: string
  readonly files: Readonly<Record<ImagePart, ImageFile>>
  readonly snapshots: readonly ImageSnapshot[]
}

/** An installed image. */
export interface Image extends ImageManifest {
  readonly folder: string
}

/** Whether a text can be the name of an image. */
export function isImageName(name: string): boolean {
  return /^[a-z0-9][a-z0-9._-]{0,63}$/.test(name)
}

/** Hashes a file of an image. */
export async function describeFile(path: string): Promise<ImageFile> {
  const hash = createHash("sha256")
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash)
  return { sha256: hash.digest("hex"), ...(await factsOf(path)) }
}

/** Whether a file is still what its description says; it is hashed only when it is not the same file any more. */
export async function isUnchanged(path: string, described: ImageFile): Promise<boolean> {
  try {
    const { stamp, bytes } = await factsOf(path)
    if (bytes !== described.bytes) return false
    return stamp === described.stamp || (await describeFile(path)).sha256 === described.sha256
  } catch {
    return false
  }
}

/** The time of the last change of a file's state cannot be set by a program, unlike that of its content. */
async function factsOf(path: string): Promise<Pick<ImageFile, "bytes" | "stamp">> {
  const { ino, size, ctimeNs, dev } = await stat(path, { bigint: true })
  return { bytes: Number(size), stamp: `${dev}-${ino}-${ctimeNs}` }
}
