import { boxLevels } from "@haft/contract"
import { type BoxOptions, type BoxSettings, boxSettings } from "../box-options.js"
import { containerBackend } from "../container/container-backend.js"
import type { Image } from "../image/image.js"
import { listImages, openImage } from "../image/open-image.js"
import { qemuBackend } from "../machine/qemu-backend.js"
import { type BoxProbe, isolationUnavailable } from "../refusal.js"
import type { BoxBackend } from "./backend.js"

/** Every backend, strongest isolation first. */
function boxBackends(settings: BoxSettings): readonly BoxBackend[] {
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

/** How backends are tried. */
export interface ProbeOptions extends BoxOptions {
  readonly signal?: AbortSignal
}

/** Every backend of this host, tried for real with an installed image. */
export async function probeBox(options: ProbeOptions): Promise<readonly BoxProbe[]> {
  const { signal = new AbortController().signal } = options
  const settings = boxSettings(options)
  const image = await firstUsable(settings.imagesFolder)
  const probes: BoxProbe[] = []
  // One after the other: two machines that boot at once would make each other late.
  for (const { name, level, probe } of boxBackends(settings)) {
    const untried = { backend: name, level, ok: false } as const
    probes.push(typeof image === "string" ? { ...untried, why: image } : await probe(image, signal))
  }
  return probes
}

/** An image to try with; where there is none, why. */
async function firstUsable(imagesFolder: string): Promise<Image | string> {
  const reasons: string[] = []
  for (const { name } of await listImages(imagesFolder)) {
    try {
      return await openImage(imagesFolder, name)
    } catch (error) {
      const { message, fix } = error as { readonly message: string; readonly fix?: string }
      reasons.push(fix === undefined ? message : `${message}; ${fix}`)
    }
  }
  return reasons[0] ?? "no image is installed that could be booted; build one with: haft box image build debian-12"
}
