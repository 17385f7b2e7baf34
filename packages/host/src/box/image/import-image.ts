import { access, readFile } from "node:fs/promises"
import { join } from "node:path"
import { ToolError } from "@haft/contract"
import { type Image, imageFiles } from "./image.js"
import { installImage } from "./install-image.js"
import { makeRootfs } from "./make-rootfs.js"
import { listImages } from "./open-image.js"

/** How an image is brought in. */
export interface ImportOptions {
  readonly imagesFolder: string
  readonly signal?: AbortSignal
}

/** Makes an image of a root file system (a tar archive); kernel and start come from an image that is installed. */
export async function importImage(name: string, archive: string, options: ImportOptions): Promise<Image> {
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
  await access(archive).catch(() => {
    throw new ToolError("not_found", `Cannot import "${archive}": it cannot be read; name a tar archive`)
  })
  return installImage(name, options, async (folder) => {
    const os = await makeRootfs(archive, folder, options.signal)
    return {
      os,
      kernel: await readFile(join(donor.folder, imageFiles.kernel)),
      drivers: await readFile(join(donor.folder, imageFiles.drivers)),
    }
  })
}
