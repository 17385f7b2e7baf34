import { chmod, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { buildInitrd, guestVersion } from "../guest/build-initrd.js"
import { type Image, imageFiles } from "./image.js"
import { asideOf, describeImage, readDrivers, writeManifest } from "./install-image.js"

/** Gives an image that another version of Haft made the programs of this one; its snapshots are of no use any more. */
export async function refreshImage(image: Image): Promise<Image> {
  if (image.guest === guestVersion()) return image
  const { folder } = image
  const draft = asideOf(folder)
  await writeFile(draft, buildInitrd(await readDrivers(image)))
  await chmod(draft, 0o644)
  await rename(draft, join(folder, imageFiles.initrd))
  const manifest = { ...(await describeImage(image, folder)), createdAt: image.createdAt }
  await writeManifest(folder, manifest)
  for (const { file } of image.snapshots) await rm(join(folder, file), { force: true })
  return { ...manifest, folder }
}
