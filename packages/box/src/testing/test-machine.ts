import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { BoxRequest, CallScope } from "@haft/contract"
import type { BoxOptions } from "../box-options.js"
import { createBox } from "../create-box.js"
import { testImage, testImagesFolder } from "./test-image.js"

const minute = 60_000
const never = new AbortController().signal

/** A host that also runs other tests is slow; what is promised about time is measured by the benchmark. */
export const patientDeadlines = { kvmProbeMs: 5_000, tcgProbeMs: minute, bootMs: minute, restoreMs: minute }

/** Machines of the image of tests, with a folder for output that does not fit. */
export function makeTestMachine() {
  const outputFolder = mkdtempSync(join(tmpdir(), "haft-test-machine-"))
  const boxWith = (options: Partial<BoxOptions> = {}) => {
    const settings = { imagesFolder: testImagesFolder, deadlines: patientDeadlines, ...options }
    return createBox(settings, { outputFolder })({ callId: "call" } as CallScope)
  }
  return {
    outputFolder,
    boxWith,
    async run(command: string, request: Partial<BoxRequest> = {}, options: Partial<BoxOptions> = {}) {
      const asked = { command, image: testImage, timeoutMs: minute, files: {}, keepBytes: 100_000, signal: never }
      const { stdout, stderr, ...outcome } = await boxWith(options).run({ ...asked, ...request })
      const truncated = stdout.truncated || stderr.truncated
      return { ...outcome, stdout: stdout.text, stderr: stderr.text, truncated }
    },
    remove: () => rmSync(outputFolder, { recursive: true, force: true }),
  }
}
