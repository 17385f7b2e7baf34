import { rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { imageMissing } from "../refusal.js"
import { asideOf } from "./install-image.js"
import { listImages } from "./open-image.js"

/** Removes an installed image with its snapshots. */
export async function removeImage(imagesFolder: string, name: string): Promise<void> {
  const installed = (await listImages(imagesFolder)).map((image) => image.name)
  if (!installed.includes(name)) throw imageMissing(name, installed)
  // Out of sight first: what is half removed must not look like an image.
  const aside = asideOf(imagesFolder)
  await rename(join(imagesFolder, name), aside)
  await rm(aside, { recursive: true, force: true })
}
