import type { BoxSettings } from "../box-options.js"
import { findGvisorHost } from "../gvisor/gvisor-host.js"
import { runInGvisor } from "../gvisor/run-in-gvisor.js"
import type { BoxBackend } from "./backend.js"
import { treeBackend } from "./tree-backend.js"

/** Commands over the root file system of an image behind gVisor, whose own kernel stands before that of the host. */
export function gvisorBackend(settings: BoxSettings): BoxBackend {
  return treeBackend(settings, {
    name: "runsc",
    level: "gvisor",
    find: (image, signal) => findGvisorHost(settings, { image, signal }),
    label: ({ label }) => label,
    run: (job, { host: { programs }, ...over }) => runInGvisor(job, { programs, ...over }),
  })
}
