import { tagName } from "../../run/process/process-tag.js"
import type { LaunchPlanner, PlannedLaunch } from "../plan-launch.js"
import type { SandboxParts } from "../prepare-sandbox.js"
import type { Mount } from "../view/mount.js"
import type { SandboxOrder } from "./create-spares.js"
import { stampView } from "./stamp-view.js"
import { waiterArgv } from "./waiter.js"

/** The order for the sandbox of a command, where such a sandbox may be started ahead. */
export function orderOf(parts: SandboxParts, view: readonly Mount[], plan: LaunchPlanner): SandboxOrder | undefined {
  if (!mayStandAhead(parts) || view.length > maxMounts) return undefined
  const { request, ground } = parts
  let planned: PlannedLaunch | undefined
  const waiter = () => {
    // Which descriptors a sandbox needs does not depend on what runs behind it.
    const words = 3 + plan([], { waits: true }).wrapped.descriptors.indexOf("words")
    planned ??= plan(waiterArgv(words), { waits: true })
    return planned
  }
  return {
    ground,
    rules: request.rulesKey,
    key(program) {
      const { wrapped, environment } = waiter()
      // Each start has a tag of its own.
      const { [tagName]: _, ...variables } = environment
      return JSON.stringify([program, wrapped, Object.entries(variables).sort()])
    },
    stamp: () => stampView(view, request.directory),
    launch: () => waiter().launch(),
  }
}

// Every one is looked at when a spare is taken; with more of them that costs as much as it saves.
const maxMounts = 200

/**
 * Only where nothing of the workspace can be written. A writable sandbox holds absent protected names with empty
 * directories, which a person would find there, and fall over, as long as it waits. A way to the network belongs to one
 * call and its judge.
 */
function mayStandAhead({ request, chosen, network, roots }: SandboxParts): boolean {
  return (
    chosen.backend.level === "namespaces" &&
    request.rulesKey !== undefined &&
    network === undefined &&
    roots.every(({ writable }) => !writable)
  )
}
