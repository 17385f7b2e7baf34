import { createHash } from "node:crypto"
import { cpus } from "node:os"
import { type Accelerator, hardwareArguments } from "../machine/qemu-arguments.js"
import type { Image } from "./image.js"

/** What a snapshot depends on besides its image. */
export interface SnapshotMachine {
  readonly qemuVersion: string
  readonly accelerator: Accelerator
  readonly memoryMiB: number
}

/** Names the snapshots that such a machine can continue: same image, same QEMU, same hardware. */
export function snapshotKey(image: Pick<Image, "files">, machine: SnapshotMachine): string {
  const { kernel, initrd, rootfs } = image.files
  const parts = [
    kernel.sha256,
    initrd.sha256,
    rootfs.sha256,
    machine.qemuVersion,
    ...hardwareArguments(machine),
    // A guest that runs on the real processor has seen which one it is.
    ...(machine.accelerator === "kvm" ? [cpus()[0]?.model ?? ""] : []),
  ]
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32)
}
