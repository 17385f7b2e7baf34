import { boxImagesFolder, listImages } from "@haft/host"
import { findPlaces } from "../../packages/haft/src/config/places.js"
import type { BenchCase } from "../bench-case.js"
import { median } from "../measure.js"
import { mustSucceed } from "../must-succeed.js"
import { allowing } from "../no-op-tool.js"

/** A command in a machine of its own, with the images that the user has installed. */
export const boxRun: BenchCase = {
  name: "box-run",
  limits: { warm: { atMost: 2, unit: "s", what: "box true from a warm snapshot" } },
  async skip() {
    const images = await listImages(boxImagesFolder(userState()))
    return images.length > 0 ? undefined : "no image is installed; build one with: haft box image build debian-12"
  },
  async run(world) {
    const home = userState()
    const [image] = await listImages(boxImagesFolder(home))
    const opened = await world.open(await world.folder("box"), { rules: allowing("box"), home })
    const times: number[] = []
    for (let round = 0; round < 4; round++) {
      const started = performance.now()
      mustSucceed(await opened.session.call("box", { command: "true", image: image!.name }))
      // The first run makes the snapshot.
      if (round > 0) times.push((performance.now() - started) / 1000)
    }
    await opened.close()
    return { warm: { value: median(times) } }
  },
}

function userState(): string {
  return findPlaces(process.env, process.cwd(), "").home
}
