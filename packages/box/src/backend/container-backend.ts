import type { BoxSettings } from "../box-options.js"
import { findContainerHost } from "../container/container-host.js"
import { runInContainer } from "../container/run-in-container.js"
import type { BoxBackend } from "./backend.js"
import { treeBackend } from "./tree-backend.js"

/** Containers of podman over the root file system of an image: the host's kernel serves them too. */
export function containerBackend(settings: BoxSettings): BoxBackend {
  const { imagesFolder } = settings
  return treeBackend(settings, {
    name: "podman",
    level: "container",
    find: (image, signal) => findContainerHost(settings, { image, signal }),
    label: ({ label }) => label,
    run: (job, { host: { programs }, ...over }) => runInContainer(job, { programs, imagesFolder, ...over }),
  })
}
