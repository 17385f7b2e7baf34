import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { bestEffort } from "@haft/contract"
import { cancelled } from "@haft/host"
import { hostFingerprint, type Known, readKnown, writeKnown } from "../backend/probe-cache.js"
import { type BoxSettings, stretched } from "../box-options.js"
import type { Image } from "../image/image.js"
import { runProgram } from "../image/run-program.js"
import type { BoxProbe } from "../refusal.js"
import { bootMachine } from "./boot-machine.js"
import type { MachinePrograms } from "./confine-machine.js"
import { waitReady } from "./control-reader.js"
import { findMachinePrograms } from "./machine-host.js"
import type { Accelerator } from "./qemu-arguments.js"

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

/** What a probe of QEMU boots and how long it may take. */
interface MachineProbeOptions {
  readonly programs: MachinePrograms
  readonly image: Image
  readonly memoryMiB: number
  readonly deadlineMs: number
  readonly signal: AbortSignal
}

/** Boots the image for real: a device that opens proves nothing. */
async function probeMachine(accelerator: Accelerator, options: MachineProbeOptions): Promise<BoxProbe> {
  const about = { backend: `qemu-${accelerator}`, level: accelerator === "kvm" ? "vm" : "vm-emulated" } as const
  if (accelerator === "kvm" && !existsSync("/dev/kvm")) return { ...about, ok: false, why: "there is no /dev/kvm" }
  const problem = await boot(accelerator, options)
  if (options.signal.aborted) throw cancelled(options.signal)
  if (problem === undefined) return { ...about, ok: true }
  return { ...about, ok: false, why: accelerator === "kvm" ? `${problem} (${await virtualisationFacts()})` : problem }
}

async function boot(accelerator: Accelerator, options: MachineProbeOptions): Promise<string | undefined> {
  try {
    const machine = await bootMachine({ ...options, accelerator, disk: new Uint8Array() })
    try {
      return await waitReady(machine, options)
    } finally {
      await machine.end()
    }
  } catch (error) {
    return (error as Error).message
  }
}

/** What the host says about its virtualisation, for people who wonder why a present device does not work. */
async function virtualisationFacts(): Promise<string> {
  const modules = (await bestEffort("a detail of a message", readFile("/proc/modules", "utf8"))) ?? ""
  const driver = /^(kvm_\w+)/m.exec(modules)?.[1] ?? (await builtInDriver())
  const flags = /^flags\s*:.*\b(vmx|svm)\b/m.exec(
    (await bestEffort("a detail of a message", readFile("/proc/cpuinfo", "utf8"))) ?? "",
  )?.[1]
  return [...(driver ? [driver] : []), flags ? `has ${flags}` : "no vmx/svm"].join(", ")
}

async function builtInDriver(): Promise<string | undefined> {
  for (const name of ["kvm_intel", "kvm_amd", "kvm_pvm"]) if (existsSync(`/sys/module/${name}`)) return name
  return undefined
}
