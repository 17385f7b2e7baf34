import {
  type BoxProbe,
  boxImagesFolder,
  findMachinePrograms,
  listImages,
  packageOf,
  probeBox,
  probeFix,
  systemProgramFolders,
} from "@haft/box"
import { type BoxLevel, boxLevels } from "@haft/contract"
import { loadConfiguration } from "../../config/load-configuration.js"
import { type Check, type DoctorRequest, failed, signalOf } from "./check.js"

/** Every way to isolate the command of a box, tried for real with an installed image, and whether `box` can run at all. */
export async function boxChecks(request: DoctorRequest): Promise<readonly Check[]> {
  try {
    const imagesFolder = boxImagesFolder(request.places.home)
    const images = await listImages(imagesFolder)
    if (images.length === 0) return [programCheck(findMachinePrograms(systemProgramFolders)), noImages]
    const probes = await probeBox({ imagesFolder, ...signalOf(request) })
    return [
      summary(probes, await leastIsolation(request)),
      { name: "box images", state: "ok", found: images.map(({ name }) => name).join(", ") },
      ...probes.map(backendCheck),
    ]
  } catch (error) {
    return [failed("box", error, "warn")]
  }
}

const noImages: Check = {
  name: "box images",
  state: "warn",
  found: "none is installed: box is refused",
  fix: "run haft box image build debian-12",
}

/** What boxes will run in: the strongest that works, where that is enough. */
function summary(probes: readonly BoxProbe[], least: BoxLevel): Check {
  const name = "box"
  const enough = probes.filter(({ level }) => boxLevels.indexOf(level) <= boxLevels.indexOf(least))
  const best = enough.find(({ ok }) => ok)
  if (best) return { name, state: "ok", found: `commands run in ${best.backend}, which isolates as "${best.level}"` }
  const fix = enough.map(probeFix).find((each) => each !== undefined)
  const found = `nothing isolates as "${least}" or better: box is refused`
  return { name, state: "warn", found, ...(fix !== undefined && { fix }) }
}

/** One that fails is not missed here: the row of all of them says whether something is. */
function backendCheck(probe: BoxProbe): Check {
  const name = `box ${probe.backend}`
  if (probe.ok) return { name, state: "ok", found: `isolates as "${probe.level}"` }
  const fix = probeFix(probe)
  return { name, state: "none", found: probe.why ?? "it does not work", ...(fix !== undefined && { fix }) }
}

/** What can be said before there is an image to try backends with. */
function programCheck(programs: object | string): Check {
  const name = "box"
  if (process.platform !== "linux" || process.arch !== "x64") {
    return { name, state: "none", found: "machines need Linux on x86-64" }
  }
  if (typeof programs !== "string") return { name, state: "ok", found: "QEMU is installed; it is tried with an image" }
  const found = `${programs} not found: there are no machines`
  return { name, state: "warn", found, fix: `apt-get install ${packageOf(programs)}` }
}

async function leastIsolation({ env, places, roots }: DoctorRequest): Promise<BoxLevel> {
  const least: BoxLevel = "vm-emulated"
  try {
    const { values } = await loadConfiguration({ env, places, roots, flags: {}, defaultLimit: () => undefined })
    return values.get("box.minIsolation") ?? least
  } catch {
    // Said by the check of the files; what holds then is the default.
    return least
  }
}
