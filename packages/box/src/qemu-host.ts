import { join } from "node:path"
import { type BoxSettings, stretched } from "./box-options.js"
import { runProgram } from "./image/run-program.js"
import type { Image } from "./image/image.js"
import type { MachinePrograms } from "./machine/confine-machine.js"
import { findMachinePrograms } from "./machine/machine-host.js"
import type { Accelerator } from "./machine/qemu-arguments.js"
import { hostFingerprint } from "./probe/host-fingerprint.js"
import { type Known, readKnown, writeKnown } from "./probe/probe-cache.js"
import { probeMachine } from "./probe/probe-machine.js"
import type { BoxProbe } from "./refusal.js"

/** QEMU on this host with what is known about it. */
export interface QemuHost {
  readonly programs: MachinePrograms
  readonly version: string
  /** Whether this way of running machines works; tried once for each start of the host. */
  probe(accelerator: Accelerator, image: Image, signal: AbortSignal): Promise<BoxProbe>
  /** Keeps what a boot has shown. */
  learn(probe: BoxProbe): Promise<void>
}

/** What finding QEMU depends on. */
export type QemuHostOptions = Pick<BoxSettings, "imagesFolder" | "programFolders" | "memoryMiB" | "deadlines">

/** Finds QEMU and the programs around it; the result is the reason where something is missing. */
export async function findQemuHost(options: QemuHostOptions): Promise<QemuHost | string> {
  if (process.platform !== "linux" || process.arch !== "x64") return "machines need Linux on x86-64"
  const programs = findMachinePrograms(options.programFolders)
  if (typeof programs === "string") return `${programs} not found`
  const fingerprint = await hostFingerprint([programs.qemu, programs.bwrap, "/dev/kvm"])
  const knownFile = join(options.imagesFolder, "probes.json")
  let known = (await readKnown(knownFile, fingerprint)) ?? (await firstKnown(programs, fingerprint))
  if (typeof known === "string") return known
  const learn = async (probe: BoxProbe): Promise<void> => {
    const { probes, ...rest } = known as Known
    known = { ...rest, probes: [...probes.filter(({ backend }) => backend !== probe.backend), probe] }
    await writeKnown(knownFile, known)
  }
  return {
    programs,
    version: known.version,
    learn,
    async probe(accelerator, image, signal) {
      const before = (known as Known).probes.find(({ backend }) => backend === `qemu-${accelerator}`)
      if (before) return before
      const { memoryMiB, deadlines } = options
      const deadlineMs = accelerator === "kvm" ? deadlines.kvmProbeMs : stretched(deadlines.tcgProbeMs)
      const probe = await probeMachine(accelerator, { programs, image, memoryMiB, deadlineMs, signal })
      // Emulation fails only when something is broken or the host is too busy now: that may pass.
      if (probe.ok || accelerator === "kvm") await learn(probe)
      return probe
    },
  }
}

async function firstKnown(programs: MachinePrograms, fingerprint: string): Promise<Known | string> {
  try {
    const words = await runProgram([programs.qemu, "--version"])
    const version = /version (\S+)/.exec(words)?.[1]
    return version === undefined ? "QEMU does not tell its version" : { fingerprint, version, probes: [] }
  } catch (error) {
    return (error as Error).message
  }
}
