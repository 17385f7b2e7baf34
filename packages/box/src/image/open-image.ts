import { readdir, readFile, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { bestEffort } from "@haft/contract"
import { guestVersion } from "../guest/build-initrd.js"
import { imageChanged, imageMissing, imageOutdated } from "../refusal.js"
import { type Image, type ImageManifest, imageFiles, imageParts, isImageName, isUnchanged } from "./image.js"
import { asideOf } from "./install-image.js"

/** Opens an image that can be used: installed, unchanged, and made for this Haft. */
export async function openImage(imagesFolder: string, name: string): Promise<Image> {
  const image = await openAnyImage(imagesFolder, name)
  if (image.guest !== guestVersion()) throw imageOutdated(name)
  return image
}

/** Opens an installed image and makes sure that it is what was built. */
export async function openAnyImage(imagesFolder: string, name: string): Promise<Image> {
  const image = isImageName(name) ? await readImage(imagesFolder, name) : undefined
  if (image === undefined)
    throw imageMissing(
      name,
      (await listImages(imagesFolder)).map((each) => each.name),
    )
  for (const part of imageParts) {
    if (!(await isUnchanged(join(image.folder, imageFiles[part]), image.files[part]))) {
      throw imageChanged(name, imageFiles[part])
    }
  }
  return image
}

/** The installed images, by name. */
export async function listImages(imagesFolder: string): Promise<readonly Image[]> {
  const names = (await bestEffort("a folder that cannot be read has no images", readdir(imagesFolder))) ?? []
  const images = await Promise.all(names.filter(isImageName).map((name) => readImage(imagesFolder, name)))
  return images.filter((image) => image !== undefined).sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** An image as its manifest describes it, or undefined where there is none. */
async function readImage(imagesFolder: string, name: string): Promise<Image | undefined> {
  const folder = join(imagesFolder, name)
  try {
    const manifest: unknown = JSON.parse(await readFile(join(folder, imageFiles.manifest), "utf8"))
    return isManifest(manifest) && manifest.name === name ? { ...manifest, folder } : undefined
  } catch {
    return undefined
  }
}

function isManifest(value: unknown): value is ImageManifest {
  const manifest = value as Partial<ImageManifest> | null
  return (
    manifest?.format === 1 &&
    [manifest.name, manifest.os, manifest.digest, manifest.guest, manifest.createdAt].every(
      (text) => typeof text === "string",
    ) &&
    imageParts.every((part) => isDescription(manifest.files?.[part])) &&
    Array.isArray(manifest.snapshots) &&
    manifest.snapshots.every((snapshot) => isDescription(snapshot) && /^snapshot-[0-9a-f]+$/.test(snapshot.file))
  )
}

function isDescription(value: unknown): boolean {
  const file = value as { sha256?: unknown; bytes?: unknown; stamp?: unknown } | undefined
  return typeof file?.sha256 === "string" && typeof file.bytes === "number" && typeof file.stamp === "string"
}

/** Removes an installed image with its snapshots. */
export async function removeImage(imagesFolder: string, name: string): Promise<void> {
  const installed = (await listImages(imagesFolder)).map((image) => image.name)
  if (!installed.includes(name)) throw imageMissing(name, installed)
  // Out of sight first: what is half removed must not look like an image.
  const aside = asideOf(imagesFolder)
  await rename(join(imagesFolder, name), aside)
  await rm(aside, { recursive: true, force: true })
}
