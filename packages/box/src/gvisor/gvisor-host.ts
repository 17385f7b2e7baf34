import { join } from "node:path"
import { findOwnProgram } from "@haft/host"
import { type BoxSettings, stretched } from "../box-options.js"
import { runProgram } from "../image/run-program.js"
import { hostFingerprint } from "../probe/host-fingerprint.js"
import { readKnown, writeKnown } from "../probe/probe-cache.js"
import { type BoxTrial, trialJob } from "../probe/trial-job.js"
import { openImageTree } from "../tree/image-tree.js"
import type { GvisorPrograms } from "./gvisor-arguments.js"
import { runInGvisor } from "./run-in-gvisor.js"

/** gVisor on this host, proved to work with an image. */
export interface GvisorHost {
  readonly programs: GvisorPrograms
  /** Name and version. */
  readonly label: string
  /** Takes the root file system of an image apart without mounting it. */
  readonly debugfs: string
}

// Versions that are too old for the host or the image start programs and then fail them at the simplest calls.
const trialCommand = "ls -la / > /dev/null && stat /etc > /dev/null"

/** Finds gVisor and lists the image with it; the result is the reason where that does not work. */
export async function findGvisorHost(settings: BoxSettings, { image, signal }: BoxTrial): Promise<GvisorHost | string> {
  if (process.platform !== "linux" || process.arch !== "x64") return "images need Linux on x86-64"
  const { programFolders, imagesFolder } = settings
  const [runsc, setpriv, debugfs] = ["runsc", "setpriv", "debugfs"].map((name) => findOwnProgram(name, programFolders))
  if (runsc === undefined) return "runsc not found"
  if (setpriv === undefined) return "setpriv not found"
  if (debugfs === undefined) return "debugfs not found"
  if (process.getuid?.() !== 0) return "runsc needs root to set up its namespaces"

  const programs = { runsc, setpriv }
  // What works depends on the programs of the image as well.
  const fingerprint = `${await hostFingerprint([runsc])} ${image.files.rootfs.sha256}`
  const knownFile = join(imagesFolder, "probes-runsc.json")
  const known = await readKnown(knownFile, fingerprint)
  const [before] = known?.probes ?? []
  if (before?.ok === true) return { programs, debugfs, label: `runsc ${known!.version}` }
  if (before?.why !== undefined) return before.why
  try {
    const version = /version (\S+)/.exec(await runProgram([runsc, "--version"]))?.[1] ?? "unknown"
    const trial = await trialJob(image, trialCommand, signal)
    const tree = await openImageTree(image, { imagesFolder, debugfs, signal })
    const { memoryMiB, deadlines } = settings
    const bootMs = stretched(deadlines.bootMs)
    const run = { programs, tree, memoryMiB, bootMs, began: performance.now() }
    const outcome = await runInGvisor(trial, run)
    // A host that is too busy now may pass; only what a command said about itself stays true.
    if (outcome.type === "crashed")
      return `${outcome.reason}${outcome.words && `: ${outcome.words.split("\n").at(-1)}`}`
    if (outcome.type === "aborted" || outcome.exitCode === null) return `"${trialCommand}" did not end`
    const words = outcome.stderr.text.trim().split("\n").at(-1)
    const why = outcome.exitCode === 0 ? undefined : `runsc ${version} fails at "${trialCommand}": ${words}`
    const probe = {
      backend: "runsc",
      level: "gvisor",
      ok: why === undefined,
      ...(why !== undefined && { why }),
    } as const
    await writeKnown(knownFile, { fingerprint, version, probes: [probe] })
    return why ?? { programs, debugfs, label: `runsc ${version}` }
  } catch (error) {
    return (error as Error).message
  }
}
