import { access, readFile } from "node:fs/promises"
import { cancelled } from "@haft/host"
import type { Image } from "../image/image.js"
import { bootMachine } from "../machine/boot-machine.js"
import type { MachinePrograms } from "../machine/confine-machine.js"
import type { Accelerator } from "../machine/qemu-arguments.js"
import { waitReady } from "../machine/wait-ready.js"
import type { BoxProbe } from "../refusal.js"

/** What a probe of QEMU boots and how long it may take. */
export interface MachineProbeOptions {
  readonly programs: MachinePrograms
  readonly image: Image
  readonly memoryMiB: number
  readonly deadlineMs: number
  readonly signal: AbortSignal
}

/** Boots the image for real: a device that opens proves nothing. */
export async function probeMachine(accelerator: Accelerator, options: MachineProbeOptions): Promise<BoxProbe> {
  const about = { backend: `qemu-${accelerator}`, level: accelerator === "kvm" ? "vm" : "vm-emulated" } as const
  if (accelerator === "kvm" && !(await exists("/dev/kvm"))) return { ...about, ok: false, why: "there is no /dev/kvm" }
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
  const modules = await readFile("/proc/modules", "utf8").catch(() => "")
  const driver = /^(kvm_\w+)/m.exec(modules)?.[1] ?? (await builtInDriver())
  const flags = /^flags\s*:.*\b(vmx|svm)\b/m.exec(await readFile("/proc/cpuinfo", "utf8").catch(() => ""))?.[1]
  return [...(driver ? [driver] : []), flags ? `has ${flags}` : "no vmx/svm"].join(", ")
}

async function builtInDriver(): Promise<string | undefined> {
  for (const name of ["kvm_intel", "kvm_amd", "kvm_pvm"]) if (await exists(`/sys/module/${name}`)) return name
  return undefined
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
