import { boxLevels } from "@haft/contract"
import type { BoxSettings } from "../box-options.js"
import type { Image } from "../image/image.js"
import { type BoxProbe, isolationUnavailable } from "../refusal.js"
import type { BoxBackend } from "./backend.js"
import { containerBackend } from "../container/container-backend.js"
import { qemuBackend } from "./qemu-backend.js"

/** Every backend, strongest isolation first. */
export function boxBackends(settings: BoxSettings): readonly BoxBackend[] {
  return [qemuBackend("kvm", settings), qemuBackend("tcg", settings), containerBackend(settings)]
}

/** The strongest backend that works. One below the operator's minimum is named in the refusal and never used. */
export async function chooseBackend(settings: BoxSettings, image: Image, signal: AbortSignal): Promise<BoxBackend> {
  const least = boxLevels.indexOf(settings.minIsolation)
  const probes: BoxProbe[] = []
  for (const backend of boxBackends(settings)) {
    const probe = await backend.probe(image, signal)
    if (probe.ok && boxLevels.indexOf(backend.level) <= least) return backend
    probes.push(probe)
  }
  throw isolationUnavailable(askedFor(settings), probes)
}

/** The promise in the words of results and refusals: both kinds of machine are one promise. */
export function askedFor({ minIsolation }: BoxSettings): string {
  return minIsolation === "vm-emulated" ? "vm" : minIsolation
}
