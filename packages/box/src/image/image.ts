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
/** One part of an image. */
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
