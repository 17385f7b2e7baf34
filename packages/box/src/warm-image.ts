import { type BoxOptions, boxSettings } from "./box-options.js"
import type { Image } from "./image/image.js"
import { sweepAside } from "./image/install-image.js"
import { openAnyImage } from "./image/open-image.js"
import { refreshImage } from "./image/refresh-image.js"
import { snapshotImage } from "./image/snapshot-image.js"
import { findQemuHost } from "./qemu-host.js"
import { isolationUnavailable } from "./refusal.js"

/** How an image is warmed. */
export interface WarmOptions extends BoxOptions {
  readonly signal?: AbortSignal
}

// Nobody waits for an answer: a slow host may take its time.
const bootMs = 120_000

/** Boots an image once with the best machine of this host and keeps the state that every run then continues. */
export async function warmImage(name: string, options: WarmOptions): Promise<Image> {
  const settings = boxSettings(options)
  const installed = await openAnyImage(settings.imagesFolder, name)
  await sweepAside(installed.folder)
  const image = await refreshImage(installed)
  const host = await findQemuHost(settings)
  if (typeof host === "string") {
    throw isolationUnavailable("vm", [
      { backend: "qemu-kvm", level: "vm", ok: false, why: host },
      { backend: "qemu-tcg", level: "vm-emulated", ok: false, why: host },
    ])
  }
  const hardware = await host.probe("kvm", image, options.signal ?? new AbortController().signal)
  const accelerator = hardware.ok ? "kvm" : "tcg"
  const { programs, version: qemuVersion } = host
  const warmed = await snapshotImage(image, {
    programs,
    qemuVersion,
    accelerator,
    memoryMiB: settings.memoryMiB,
    bootMs,
    ...(options.signal && { signal: options.signal }),
  })
  // The snapshot is the proof that this machine works.
  if (accelerator === "tcg") await host.learn({ backend: "qemu-tcg", level: "vm-emulated", ok: true })
  return warmed
}
