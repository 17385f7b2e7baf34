import type { SandboxPlan, SandboxVariant } from "./backend.js"
import { waitUntilAdmitted } from "./limits/admission-gate.js"
import { lowerLimits } from "./lower-limits.js"
import { findMovedMounts, movedMounts, treeArguments } from "./moved-mounts.js"
import { moved, relayStarted, superviseCommand } from "./supervising-shell.js"

/** How the first process inside the sandbox is put together. */
export interface InsideOptions {
  /** The descriptor that leads to the proxy. */
  readonly relayDescriptor: number
  readonly setpriv: string | undefined
  /** Where it tells what the command left, when nobody outside of this process will. */
  readonly leftDescriptor?: number
  /** A further descriptor of the sandbox, which its relay does not get. */
  readonly statusDescriptor?: number
  /** The first descriptor of the trees that are held open, where they are still to be compared with what is shown. */
  readonly heldDescriptor?: number
}

/** The command with everything that has to happen inside the sandbox before and after it: relay, limits, owner. */
export function insideCommand(plan: SandboxPlan, options: InsideOptions): readonly string[] {
  const { identity, relay, argv, trees = [], held = [] } = plan
  const { setpriv } = options
  const owner =
    identity.kind === "owner" && setpriv !== undefined
      ? [setpriv, "--reuid", String(identity.uid), "--regid", String(identity.gid), "--clear-groups", ...withoutRights]
      : []
  const script = insideScript(plan, options)
  if (script === undefined) return [...owner, ...argv]
  const shown = options.heldDescriptor === undefined ? [] : held
  const first = [...shown, ...treeArguments(trees), ...(relay ? [relay.node, relay.source] : [])]
  return [...owner, "/bin/sh", "-c", script, "sh", ...first, ...argv]
}

function insideScript(
  { relay, limits, limitProcesses, variant, trees = [], held = [] }: SandboxPlan,
  { relayDescriptor, leftDescriptor, statusDescriptor, heldDescriptor }: InsideOptions,
): string | undefined {
  const { processes } = limits
  const fewer = limitProcesses ? `ulimit -u ${processes} 2>/dev/null || ulimit -p ${processes} 2>/dev/null\n` : ""
  const kept = [leftDescriptor, statusDescriptor].filter((descriptor) => descriptor !== undefined)
  const tellMoved =
    leftDescriptor === undefined ? `echo "${movedMounts}" >&2` : `echo ${moved.trim()} >&${leftDescriptor}`
  const whenMoved = `${tellMoved}; exit 125`
  const letGo =
    heldDescriptor === undefined ? [] : held.map((_, index) => letGoOf(heldDescriptor + index, variant, whenMoved))
  const check = [...letGo, ...(trees.length > 0 ? [findMovedMounts(trees.length, whenMoved)] : [])]
  const connect = relay ? [startRelay(relayDescriptor, kept), "shift 2"] : []
  if (leftDescriptor !== undefined) {
    if (relay) connect.push(`echo ${relayStarted.trim()} >&${leftDescriptor}`)
    const run = superviseCommand({ descriptor: leftDescriptor, first: fewer, company: relay ? 1 : 0 })
    return [lowerLimits(limits), ...check, waitUntilAdmitted(leftDescriptor), ...connect, run].join("\n")
  }
  if (!relay && !limitProcesses && trees.length === 0) return undefined
  return [...check, ...connect, `${fewer}exec "$@"`].join("\n")
}

/**
 * Text for a shell that lets go of a tree that was held open for the mounts, the path of which is its first argument. While
 * they were made, another directory could have been put in its place: then nothing is run. Whoever had the descriptor could
 * walk out of the sandbox by it, so it is closed before anything is started.
 */
function letGoOf(descriptor: number, { processes }: SandboxVariant, whenMoved: string): string {
  const compare = processes ? `[ "$1" -ef /proc/self/fd/${descriptor} ] || { ${whenMoved}; }\n` : ""
  return `${compare}exec ${descriptor}<&-\nshift`
}

/** Gives up every capability, also for programs with a set-user-id bit. */
export const withoutRights = [
  "--inh-caps=-all",
  "--ambient-caps=-all",
  "--bounding-set=-all",
  "--no-new-privs",
] as const

/**
 * Waits until the relay listens: it says "ready" and closes its output, which ends the substitution. The command itself
 * gets no descriptor of it. 125 is what a sandbox answers that could not be set up.
 */
function startRelay(descriptor: number, kept: readonly number[]): string {
  const without = kept.map((one) => ` ${one}>&-`).join("")
  return [
    `haft_ready=$(exec "$1" -e "$2" ${descriptor} 2>/dev/null </dev/null${without} &)`,
    `exec ${descriptor}<&-`,
    `[ "$haft_ready" = ready ] || { echo "${relayFailed}" >&2; exit 125; }`,
  ].join("\n")
}

/** What a sandbox says whose relay did not start. */
export const relayFailed = "haft: the relay to the network did not start"
