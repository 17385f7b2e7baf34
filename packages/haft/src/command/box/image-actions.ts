import { resolve } from "node:path"
import { type BoxImage, buildImage, importImage, listImages, removeImage, warmImage } from "@haft/box"
import { table } from "../../terminal/columns.js"
import type { Invocation } from "../invocation.js"
import type { Io } from "../io.js"
import { printRows, printValue } from "../print.js"

/** One thing that can be done with images. */
export interface ImageAction {
  /** Its words in help. */
  readonly operands: string
  readonly count: readonly [number, number]
  run(request: ImageRequest): Promise<void>
}

/** A command line about images that was understood. */
export interface ImageRequest {
  readonly invocation: Invocation
  readonly io: Io
  readonly operands: readonly string[]
  readonly options: {
    readonly imagesFolder: string
    readonly onStep: (words: string) => void
    readonly signal?: AbortSignal
  }
}

/** What can be done with images, by name. */
export const imageActions: Readonly<Record<string, ImageAction>> = {
  build: {
    operands: "NAME [MIRROR]",
    count: [1, 2],
    async run({ invocation, io, operands: [name = "", mirror], options }) {
      const image = await buildImage(name, { ...options, ...(mirror !== undefined && { mirror }) })
      printImage(
        invocation,
        io,
        image,
        invocation.say`built ${name}; make it start fast with: haft box image warm ${name}`,
      )
    },
  },
  list: {
    operands: "",
    count: [0, 0],
    async run({ invocation, io, options }) {
      const images = await listImages(options.imagesFolder)
      printRows(invocation, io, images.map(imageRow), (style) => {
        if (images.length === 0) return style.say`no images; build one with: haft box image build debian-12`
        const rows = images.map(imageRow).map(({ name, os, size_mb, warm, digest }) => {
          return [name, os, `${size_mb} MB`, warm ? style.say`warm` : style.say`cold`, digest.slice(0, 19)]
        })
        return table(["IMAGE", "SYSTEM", "SIZE", "START", "DIGEST"], rows, style)
      })
    },
  },
  warm: {
    operands: "NAME",
    count: [1, 1],
    async run({ invocation, io, operands: [name = ""], options }) {
      options.onStep(`starting ${name} once to keep its state`)
      printImage(invocation, io, await warmImage(name, options), invocation.say`warmed ${name}`)
    },
  },
  import: {
    operands: "NAME ROOTFS.TAR|OCI-LAYOUT",
    count: [2, 2],
    async run({ invocation, io, operands: [name = "", archive = ""], options }) {
      printImage(
        invocation,
        io,
        await importImage(name, resolve(io.cwd, archive), options),
        invocation.say`imported ${name}`,
      )
    },
  },
  remove: {
    operands: "NAME",
    count: [1, 1],
    async run({ invocation, io, operands: [name = ""], options }) {
      await removeImage(options.imagesFolder, name)
      printValue(invocation, io, { removed: name }, ({ say }) => say`removed ${name}`)
    },
  },
}

function printImage(invocation: Invocation, io: Io, image: BoxImage, words: string): void {
  printValue(invocation, io, imageRow(image), () => words)
}

function imageRow({ name, os, digest, createdAt, files, snapshots }: BoxImage) {
  const bytes = [...Object.values(files), ...snapshots].reduce((sum, file) => sum + file.bytes, 0)
  return {
    name,
    os,
    digest,
    created_at: createdAt,
    size_mb: Math.round(bytes / 1_000_000),
    warm: snapshots.length > 0,
  }
}
