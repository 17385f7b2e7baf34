import { boxBackends } from "../backend/choose-backend.js"
import { type BoxOptions, boxSettings } from "../box-options.js"
import { listImages, openImage } from "../image/open-image.js"
import type { BoxProbe } from "../refusal.js"

/** How backends are tried. */
export interface ProbeOptions extends BoxOptions {
  readonly signal?: AbortSignal
}

/** Every backend of this host, tried for real with an installed image. */
export async function probeBox(options: ProbeOptions): Promise<readonly BoxProbe[]> {
  const { signal = new AbortController().signal } = options
  const settings = boxSettings(options)
  const [first] = await listImages(settings.imagesFolder)
  const image = first && (await openImage(settings.imagesFolder, first.name))
  const probes: BoxProbe[] = []
  // One after the other: two machines that boot at once would make each other late.
  for (const backend of boxBackends(settings)) {
    probes.push(image ? await backend.probe(image, signal) : withoutImage(backend))
  }
  return probes
}

function withoutImage({ name, level }: { readonly name: string; readonly level: BoxProbe["level"] }): BoxProbe {
  const why = "no image is installed that could be booted; build one with: haft box image build debian-12"
  return { backend: name, level, ok: false, why }
}
