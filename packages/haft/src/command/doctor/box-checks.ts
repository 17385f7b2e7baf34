import { existsSync } from "node:fs"
import { boxImagesFolder, findMachinePrograms, listImages, systemProgramFolders } from "@haft/host"
import { loadConfiguration } from "../../config/load-configuration.js"
import { type Check, type DoctorRequest, failed } from "./check.js"

/** Whether machines for `box` can be made. Nothing is booted: that takes long, and `haft box doctor` does it. */
export async function boxChecks(request: DoctorRequest): Promise<readonly Check[]> {
  try {
    const images = await listImages(boxImagesFolder(request.places.home))
    return [
      programCheck(findMachinePrograms(systemProgramFolders), await leastIsolation(request)),
      images.length > 0
        ? { name: "box images", state: "ok", found: images.map(({ name }) => name).join(", ") }
        : {
            name: "box images",
            state: "warn",
            found: "none is installed: box is refused",
            fix: "run haft box image build debian-12",
          },
    ]
  } catch (error) {
    return [failed("box", error, "warn")]
  }
}

function programCheck(programs: object | string, least: string): Check {
  const name = "box machines"
  if (process.platform !== "linux" || process.arch !== "x64") {
    return { name, state: "none", found: "machines need Linux on x86-64" }
  }
  if (typeof programs === "string") {
    const fix = `install ${packageOf(programs)}, for instance: apt-get install ${packageOf(programs)}`
    if (least.startsWith("vm")) return { name, state: "warn", found: `${programs} not found: box is refused`, fix }
    const found = `${programs} not found; box.minIsolation allows "${least}", which haft box doctor tries`
    return { name, state: "none", found, fix }
  }
  const device = existsSync("/dev/kvm") ? "/dev/kvm is there" : "no /dev/kvm, so emulated"
  return { name, state: "ok", found: `QEMU is installed, ${device}; haft box doctor boots one` }
}

async function leastIsolation({ env, places, roots }: DoctorRequest): Promise<string> {
  try {
    const { values } = await loadConfiguration({ env, places, roots, flags: {}, defaultLimit: () => undefined })
    return String(values.get("box.minIsolation") ?? "vm-emulated")
  } catch {
    // Said by the check of the files; what holds then is the default.
    return "vm-emulated"
  }
}

function packageOf(program: string): string {
  if (program.startsWith("qemu")) return "qemu-system-x86"
  return program === "bwrap" ? "bubblewrap" : "util-linux"
}
