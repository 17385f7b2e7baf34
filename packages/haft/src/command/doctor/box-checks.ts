import { existsSync } from "node:fs"
import { boxImagesFolder, findMachinePrograms, listImages, systemProgramFolders } from "@haft/host"
import { type Check, type DoctorRequest, failed } from "./check.js"

/** Whether machines for `box` can be made. Nothing is booted: that takes long, and `haft box doctor` does it. */
export async function boxChecks({ places }: DoctorRequest): Promise<readonly Check[]> {
  try {
    const images = await listImages(boxImagesFolder(places.home))
    return [
      programCheck(findMachinePrograms(systemProgramFolders)),
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

function programCheck(programs: object | string): Check {
  const name = "box machines"
  if (process.platform !== "linux" || process.arch !== "x64") {
    return { name, state: "none", found: "machines need Linux on x86-64" }
  }
  if (typeof programs === "string") {
    const fix = `install ${packageOf(programs)}, for instance: apt-get install ${packageOf(programs)}`
    return { name, state: "warn", found: `${programs} not found: box is refused`, fix }
  }
  const device = existsSync("/dev/kvm") ? "/dev/kvm is there" : "no /dev/kvm, so emulated"
  return { name, state: "ok", found: `QEMU is installed, ${device}; haft box doctor boots one` }
}

function packageOf(program: string): string {
  if (program.startsWith("qemu")) return "qemu-system-x86"
  return program === "bwrap" ? "bubblewrap" : "util-linux"
}
