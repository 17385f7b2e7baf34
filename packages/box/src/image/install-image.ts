import { createHash, randomBytes } from "node:crypto"
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { ToolError } from "@haft/contract"
import { isAlive } from "@haft/host"
import { buildInitrd, guestVersion, holdsPerl } from "../guest/build-initrd.js"
import { imageTooOld } from "../refusal.js"
import { describeFile, type Image, type ImageManifest, imageFiles, imageParts, isImageName } from "./image.js"

/** What the maker of an image leaves besides the root file system in its folder. */
export interface ImageParts {
  readonly os: string
  readonly kernel: Uint8Array
  /** Busybox, Perl and drivers, as the initial file system takes them. */
  readonly drivers: Uint8Array
}

/** Lets `make` fill a new folder and puts it in place when it is complete; a failure leaves nothing behind. */
export async function installImage(
  name: string,
  { imagesFolder }: { readonly imagesFolder: string },
  make: (folder: string) => Promise<ImageParts>,
): Promise<Image> {
  if (!isImageName(name)) {
    throw new ToolError(
      "invalid_args",
      `Cannot use "${name}" as the name of an image: use small letters, digits, . _ -`,
    )
  }
  await mkdir(imagesFolder, { recursive: true, mode: 0o700 })
  await sweepAside(imagesFolder)
  const folder = asideOf(imagesFolder)
  await mkdir(folder, { mode: 0o755 })
  try {
    const { os, kernel, drivers } = await make(folder)
    await writeFile(join(folder, imageFiles.kernel), kernel)
    await writeFile(join(folder, imageFiles.drivers), drivers)
    await writeFile(join(folder, imageFiles.initrd), buildInitrd(drivers))
    // Another user must be able to read them in the machine's view; the folder above is closed to everyone else.
    for (const file of [imageFiles.kernel, imageFiles.initrd]) await chmod(join(folder, file), 0o644)
    const manifest = await describeImage({ name, os }, folder)
    await writeManifest(folder, manifest)
    await replaceFolder(folder, join(imagesFolder, name))
    return { ...manifest, folder: join(imagesFolder, name) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Busybox, Perl and drivers of an installed image. Those of earlier versions of Haft have no Perl and cannot be used. */
export async function readDrivers({ name, folder }: Image): Promise<Uint8Array> {
  const drivers = await readFile(join(folder, imageFiles.drivers))
  if (!holdsPerl(drivers)) throw imageTooOld(name)
  return drivers
}

/** Hashes the files in an image's folder into its manifest. */
export async function describeImage(
  { name, os }: Pick<ImageManifest, "name" | "os">,
  folder: string,
): Promise<ImageManifest> {
  const described = await Promise.all(imageParts.map((part) => describeFile(join(folder, imageFiles[part]))))
  const files = Object.fromEntries(imageParts.map((part, index) => [part, described[index]!])) as ImageManifest["files"]
  const hashes = [files.kernel, files.initrd, files.rootfs].map(({ sha256 }) => sha256)
  const digest = `sha256:${createHash("sha256").update(hashes.join("\n")).digest("hex")}`
  const createdAt = new Date().toISOString()
  return { format: 1, name, os, digest, guest: guestVersion(), createdAt, files, snapshots: [] }
}

/** Writes the manifest so that readers see the old one or the new one. */
export async function writeManifest(folder: string, manifest: ImageManifest): Promise<void> {
  const draft = asideOf(folder)
  await writeFile(draft, JSON.stringify(manifest, null, 2))
  await rename(draft, join(folder, imageFiles.manifest))
}

/** A running machine keeps the files that it opened; new ones get the new image. */
async function replaceFolder(from: string, to: string): Promise<void> {
  const aside = asideOf(dirname(to))
  const existed = await rename(to, aside).then(
    () => true,
    () => false,
  )
  await rename(from, to)
  if (existed) await rm(aside, { recursive: true, force: true })
}

const asideName = /^\.aside-(\d+)-[0-9a-f]+$/

/** A path for what is not yet, or no longer, an image or a part of one; its name holds the number of our process. */
export function asideOf(folder: string): string {
  return join(folder, `.aside-${process.pid}-${randomBytes(8).toString("hex")}`)
}

/** Removes what processes left in that folder that were killed. */
export async function sweepAside(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = asideName.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) {
      await rm(join(folder, name), { recursive: true, force: true })
    }
  }
}
