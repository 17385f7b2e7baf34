import { mkdir, symlink } from "node:fs/promises"
import { dirname } from "node:path"
import { type BoxImage, boxImagesFolder, listImages } from "@haft/box"
import { machineTraces } from "../../packages/box/src/testing/machine-traces.js"
import { testImagesFolder } from "../../packages/box/src/testing/test-image.js"
import { findPlaces } from "../../packages/haft/src/config/places.js"
import type { BenchCase } from "../bench-case.js"
import { median } from "../measure.js"
import { mustSucceed } from "../must-succeed.js"
import { allowing } from "../no-op-tool.js"

const rounds = 7

/** A command in a machine of its own, with an image that the user has installed or that the tests have built. */
export const boxRun: BenchCase = {
  name: "box-run",
  limits: {
    warm: { atMost: 2, unit: "s", what: "box true from a warm snapshot" },
    left: { atMost: 0, unit: "", what: "processes, files and groups left" },
  },
  async skip() {
    if ((await findWarmImage()) !== undefined) return undefined
    return "no warm image is installed; make one with: haft box image build debian-12, haft box image warm debian-12"
  },
  async run(world) {
    const { name, imagesFolder } = (await findWarmImage())!
    // A state of its own that borrows the images: sessions of the user stay out of it.
    const home = await world.folder("box-home")
    await mkdir(dirname(boxImagesFolder(home)), { recursive: true })
    await symlink(imagesFolder, boxImagesFolder(home))
    const opened = await world.open(await world.folder("box"), { rules: allowing("box"), home })
    const times: number[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const started = performance.now()
      const data = mustSucceed(await opened.session.call("box", { command: "true", image: name }))
      const seconds = (performance.now() - started) / 1000
      if (!(data.isolation as { snapshot: boolean }).snapshot)
        throw new Error(`Image "${name}" has no snapshot for this host; run: haft box image warm`)
      // The first run of a host tries its backends.
      if (round > 0) times.push(seconds)
    }
    await opened.close()
    const { processes, files, groups } = machineTraces()
    return { warm: { value: median(times) }, left: { value: processes.length + files.length + groups.length } }
  },
}

interface WarmImage extends BoxImage {
  readonly imagesFolder: string
}

async function findWarmImage(): Promise<WarmImage | undefined> {
  const { home } = findPlaces(process.env, process.cwd(), "")
  for (const imagesFolder of [boxImagesFolder(home), testImagesFolder]) {
    const image = (await listImages(imagesFolder)).find(({ snapshots }) => snapshots.length > 0)
    if (image !== undefined) return { ...image, imagesFolder }
  }
  return undefined
}
