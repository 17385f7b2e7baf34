import { readFile, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { ToolError } from "@haft/contract"
import { type Image, imageFiles } from "./image.js"
import { installImage, readDrivers } from "./install-image.js"
import { makeRootfs } from "./make-rootfs.js"
import { flattenLayers } from "./oci/flatten-layers.js"
import { readOciLayout } from "./oci/read-oci-layout.js"
import { listImages } from "./open-image.js"

/** How an image is brought in. */
export interface ImportOptions {
  readonly imagesFolder: string
  readonly signal?: AbortSignal
}

/** Makes an image of a tar archive or an OCI layout; kernel and start come from an image that is installed. */
export async function importImage(name: string, source: string, options: ImportOptions): Promise<Image> {
  const [donor] = await listImages(options.imagesFolder)
  if (donor === undefined) {
    throw new ToolError(
      "not_configured",
      `Cannot import "${name}": its kernel comes from an installed image, and there is none`,
      {
        hint: "Build one first with: haft box image build debian-12",
      },
    )
  }
  const facts = await stat(source).catch(() => {
    throw new ToolError(
      "not_found",
      `Cannot import "${source}": it cannot be read; name a tar archive or an OCI layout`,
    )
  })
  const layers = facts.isDirectory() ? await readOciLayout(source) : undefined
  return installImage(name, options, async (folder) => {
    const flat = join(folder, "rootfs.tar")
    if (layers) await flattenLayers(layers, flat)
    const os = await makeRootfs(layers ? flat : source, folder, options)
    await rm(flat, { force: true })
    const kernel = await readFile(join(donor.folder, imageFiles.kernel))
    return { os, kernel, drivers: await readDrivers(donor) }
  })
}
