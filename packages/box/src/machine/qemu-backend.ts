import { join } from "node:path"
import type { BackendResult, BoxBackend, BoxJob } from "../backend/backend.js"
import { type BoxSettings, stretched } from "../box-options.js"
import { type Image, isUnchanged } from "../image/image.js"
import { snapshotKey } from "../image/snapshot-key.js"
import { jobArchive } from "../job/job-archive.js"
import { bootMachine } from "./boot-machine.js"
import type { Accelerator } from "./qemu-arguments.js"
import { findQemuHost, type QemuHost } from "./qemu-host.js"
import { runMachine } from "./run-machine.js"

/** Machines of QEMU, on the real processor or emulated, themselves in a sandbox. */
export function qemuBackend(accelerator: Accelerator, settings: BoxSettings): BoxBackend {
  const about = { name: `qemu-${accelerator}`, level: accelerator === "kvm" ? "vm" : "vm-emulated" } as const
  return {
    ...about,
    async probe(image, signal) {
      const host = await findQemuHost(settings)
      if (typeof host === "string") return { backend: about.name, level: about.level, ok: false, why: host }
      return host.probe(accelerator, image, signal)
    },
    async run(job) {
      const host = await findQemuHost(settings)
      if (typeof host === "string") {
        const reason = `${host} since it was tried`
        return result({ type: "crashed", started: false, reason, words: "" }, about.name)
      }
      return runJob(job, { accelerator, settings, host })
    },
  }
}

interface QemuJob {
  readonly accelerator: Accelerator
  readonly settings: BoxSettings
  readonly host: QemuHost
}

async function runJob(job: BoxJob, { accelerator, settings, host }: QemuJob): Promise<BackendResult> {
  const { memoryMiB, deadlines } = settings
  const key = snapshotKey(job.image, { qemuVersion: host.version, accelerator, memoryMiB })
  const snapshot = await usableSnapshot(job.image, key)
  const disk = jobArchive({ command: job.command, files: job.files, network: job.network?.variables })
  const machine = await bootMachine({
    programs: host.programs,
    accelerator,
    memoryMiB,
    image: job.image,
    disk,
    ...(snapshot !== undefined && { snapshot }),
  })
  job.network?.attach(machine.network)
  const deadlineMs = snapshot === undefined ? deadlines.bootMs : deadlines.restoreMs
  const outcome = await runMachine(machine, {
    ...job,
    restored: snapshot !== undefined,
    bootMs: stretched(deadlineMs + unpackMs(disk)),
  })
  return result(outcome, `qemu-${accelerator} ${host.version}`, snapshot !== undefined)
}

function result(outcome: BackendResult["outcome"], backend: string, snapshot = false): BackendResult {
  return { outcome, backend, nestedIn: "bwrap", snapshot }
}

/** A snapshot for exactly this machine whose content is what was saved; otherwise the machine boots. */
async function usableSnapshot(image: Image, key: string): Promise<string | undefined> {
  const snapshot = image.snapshots.find((each) => each.key === key)
  if (snapshot === undefined) return undefined
  const path = join(image.folder, snapshot.file)
  return (await isUnchanged(path, snapshot)) ? path : undefined
}

// An emulated guest unpacks about a megabyte a second in the worst case.
function unpackMs(disk: Uint8Array): number {
  return disk.length / 1_000
}
