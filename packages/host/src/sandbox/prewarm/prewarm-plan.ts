import { type BigIntStats, lstatSync, readFileSync, statSync } from "node:fs"
import { bestEffort, isInside } from "@haft/contract"
import { tagName } from "../../run/process/spawn.js"
import type { LaunchPlanner, PlannedLaunch } from "../launch/plan-launch.js"
import type { SandboxParts } from "../plan/prepare-sandbox.js"
import { plainText } from "../view/host-mounts.js"
import type { Mount } from "../view/mount.js"
import type { PrewarmPlan } from "./pool.js"
import { handshakeArgv } from "./prewarmed-sandbox.js"

/** How to prewarm a sandbox like that of this command, where that is allowed. */
export function prewarmPlan(parts: SandboxParts, view: readonly Mount[], plan: LaunchPlanner): PrewarmPlan | undefined {
  if (!mayBePrewarmed(parts) || view.length > maxMounts) return undefined
  const { request, host } = parts
  let planned: PlannedLaunch | undefined
  const waiting = () => {
    // Which descriptors a sandbox needs does not depend on what runs behind it.
    const words = 3 + plan([], { waits: true }).wrapped.descriptors.indexOf("handshake")
    planned ??= plan(handshakeArgv(words), { waits: true })
    return planned
  }
  return {
    host,
    rules: request.rulesKey,
    key(program) {
      const { wrapped, environment } = waiting()
      // Each start has a tag of its own.
      const { [tagName]: _, ...variables } = environment
      return JSON.stringify([program, wrapped, Object.entries(variables).sort()])
    },
    stamp: () => stampView(view, request.directory),
    launch: () => waiting().launch(),
  }
}

// Each is compared when the prewarmed sandbox is taken; with more of them that costs as much as it saves.
const maxMounts = 200

/**
 * Only where nothing of the workspace can be written. A writable sandbox has placeholders for absent protected paths,
 * which a person would find in the workspace as long as it waits. A way to the network belongs to one call and its grant.
 */
function mayBePrewarmed({ request, chosen, network, roots }: SandboxParts): boolean {
  return (
    chosen.backend.level === "namespaces" &&
    request.rulesKey !== undefined &&
    network === undefined &&
    roots.every(({ writable }) => !writable)
  )
}

/**
 * Which files and folders of the host a view is made of at this moment, and what is mounted there. A sandbox that was
 * built when the stamp was the same shows and covers what one that is built now would: the kernel ties a mount to the
 * file below it, not to the name.
 */
function stampView(mounts: readonly Mount[], directory: string): string {
  const sources = new Set(mounts.flatMap((mount) => ("source" in mount ? [mount.source] : [])))
  const paths = new Set([directory, ...mounts.map(({ target }) => target), ...sources])
  return [...[...paths].map(stampOf), ...mountsAround([...sources])].join("\n")
}

/** What is mounted on a source, above it or below it; whatever is mounted elsewhere is not shown. */
function mountsAround(sources: readonly string[]): readonly string[] {
  return readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .filter((line) => {
      const place = plainText(line.split(" ", 5)[4] ?? "/")
      return sources.some((source) => isInside(source, place) || isInside(place, source))
    })
}

function stampOf(path: string): string {
  const facts = factsOf(() => lstatSync(path, { bigint: true, throwIfNoEntry: false }))
  if (!facts) return "none"
  if (!facts.isSymbolicLink()) return inWords(facts)
  const end = factsOf(() => statSync(path, { bigint: true, throwIfNoEntry: false }))
  return `${inWords(facts)} ${end ? inWords(end) : "none"}`
}

/**
 * Numbers of files are given again, times of birth are not. A file can also go and come back as itself under another
 * hard link, and is without its cover then: that changes its other time. A folder has no second link, and this time of
 * it changes with every entry.
 */
function inWords(facts: BigIntStats): string {
  const which = `${facts.dev}:${facts.ino}:${facts.birthtimeNs}:${facts.mode}`
  return facts.isDirectory() ? which : `${which}:${facts.ctimeNs}`
}

/** What this user cannot look at counts as missing. */
function factsOf(look: () => BigIntStats | undefined): BigIntStats | undefined {
  return bestEffort("a path that this user cannot look at counts as missing", look)
}
