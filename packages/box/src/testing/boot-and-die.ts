import { openImage } from "../image/open-image.js"
import { bootMachine } from "../machine/boot-machine.js"
import { findMachinePrograms, systemProgramFolders } from "../machine/machine-host.js"
import { testImage, testImagesFolder } from "./test-image.js"

// Starts a machine and is killed so many milliseconds later, while its sandbox is being built. Memory tells it from others.
const [waitMs, memoryMiB] = process.argv.slice(2).map(Number) as [number, number]
const programs = findMachinePrograms(systemProgramFolders)
if (typeof programs === "string") throw new Error(`${programs} not found`)
const image = await openImage(testImagesFolder, testImage)
await bootMachine({ programs, accelerator: "tcg", memoryMiB, image, disk: new Uint8Array() })
const until = performance.now() + waitMs
while (performance.now() < until);
process.kill(process.pid, "SIGKILL")
