import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { type BoxRequest, type CallScope, ToolError } from "@haft/contract"
import type { BoxOptions } from "../box-options.js"
import { createBox } from "../create-box.js"
import { systemProgramFolders } from "../machine/machine-host.js"
import { testImage, testImagesFolder } from "./test-image.js"

const minute = 60_000
const never = new AbortController().signal

/** The programs that containers need. */
export const containerPrograms = ["podman", "crun", "runc", "conmon", "debugfs"] as const

/** A copy of the image of tests, and a host on which only the programs for containers are installed. */
export function makeTestContainer() {
  const folder = mkdtempSync(join(tmpdir(), "haft-test-container-"))
  const imagesFolder = join(folder, "images")
  copyTestImage(imagesFolder)
  const programs = linkPrograms(join(folder, "programs"), containerPrograms)
  const deadlines = { bootMs: minute }

  const boxWith = (options: Partial<BoxOptions>) => {
    const settings = {
      imagesFolder,
      minIsolation: "container" as const,
      programFolders: [programs],
      deadlines,
      ...options,
    }
    return createBox(settings, { outputFolder: join(folder, "out") })({ callId: "call" } as CallScope)
  }
  return {
    folder,
    imagesFolder,
    programs,
    async run(command: string, request: Partial<BoxRequest> = {}, options: Partial<BoxOptions> = {}) {
      const asked = { command, image: testImage, timeoutMs: minute, files: {}, keepBytes: 100_000, signal: never }
      const { stdout, stderr, ...outcome } = await boxWith(options).run({ ...asked, ...request })
      return { ...outcome, stdout: stdout.text, stderr: stderr.text }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Copies the image of tests; not the folder that it was taken apart into, which holds only where it was made. */
export function copyTestImage(imagesFolder: string): void {
  const filter = (path: string) => !basename(path).startsWith("tree-")
  cpSync(join(testImagesFolder, testImage), join(imagesFolder, testImage), { recursive: true, filter })
}

/** The error of a refused run. */
export async function refusalOf(running: Promise<unknown>): Promise<ToolError> {
  const error = await running.catch((thrown: unknown) => thrown)
  if (!ToolError.is(error)) throw new Error(`this was not refused: ${String(error)}`)
  return error
}

/** A folder with links to these programs of the system, where they are installed. */
export function linkPrograms(folder: string, names: readonly string[]): string {
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  for (const name of names) {
    const found = systemProgramFolders.map((each) => join(each, name)).find(existsSync)
    if (found !== undefined) symlinkSync(found, join(folder, name))
  }
  return folder
}
