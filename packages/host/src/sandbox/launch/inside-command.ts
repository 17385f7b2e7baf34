import { isInside } from "@haft/contract"
import type { SandboxPlan, SandboxVariant, Wrapped } from "../backend.js"
import { waitUntilPlaced } from "../limit/cgroup-placement.js"
import type { Limits } from "../limit/limiter.js"
import type { Mount } from "../view/mount.js"
import { moved, relayStarted, superviseCommand } from "./supervising-shell.js"

/** How the first process inside the sandbox is put together. */
export interface InsideOptions {
  /** The descriptor that is connected to the proxy. */
  readonly relayDescriptor: number
  readonly setpriv: string | undefined
  /** Where it reports orphan processes, when nobody outside of this process will. */
  readonly reportDescriptor?: number
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
  { relayDescriptor, reportDescriptor, statusDescriptor, heldDescriptor }: InsideOptions,
): string | undefined {
  const { processes } = limits
  const fewer = limitProcesses ? `ulimit -u ${processes} 2>/dev/null || ulimit -p ${processes} 2>/dev/null\n` : ""
  const kept = [reportDescriptor, statusDescriptor].filter((descriptor) => descriptor !== undefined)
  const tellMoved =
    reportDescriptor === undefined ? `echo "${movedMounts}" >&2` : `echo ${moved.trim()} >&${reportDescriptor}`
  const whenMoved = `${tellMoved}; exit 125`
  const letGo =
    heldDescriptor === undefined ? [] : held.map((_, index) => letGoOf(heldDescriptor + index, variant, whenMoved))
  const check = [...letGo, ...(trees.length > 0 ? [findMovedMounts(trees.length, whenMoved)] : [])]
  const connect = relay ? [startRelay(relayDescriptor, kept), "shift 2"] : []
  if (reportDescriptor !== undefined) {
    if (relay) connect.push(`echo ${relayStarted.trim()} >&${reportDescriptor}`)
    const run = superviseCommand({ descriptor: reportDescriptor, first: fewer, company: relay ? 1 : 0 })
    return [lowerLimits(limits), ...check, waitUntilPlaced(reportDescriptor), ...connect, run].join("\n")
  }
  if (!relay && !limitProcesses && trees.length === 0) return undefined
  return [...check, ...connect, `${fewer}exec "$@"`].join("\n")
}

/**
 * Text for a shell that lets go of a tree that was held open for the mounts, the path of which is its first argument. While
 * they were made, another directory could have been put in its place: then nothing is run. A command that had the descriptor could
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

/**
 * Lowers the limits of the process before the sandbox is built in its place, where the sandbox does not do so inside. With a
 * descriptor it also waits there until it is placed.
 */
export function outsideCommand(
  { file, args, lowersLimits }: Wrapped,
  limits: ShellLimits,
  waitsAt: number | undefined,
): Pick<Wrapped, "file" | "args"> {
  if (lowersLimits) return { file, args }
  const wait = waitsAt === undefined ? [] : [waitUntilPlaced(waitsAt), `exec ${waitsAt}>&-`]
  const script = [lowerLimits(limits), ...wait, 'exec "$@"'].join("\n")
  return { file: "/bin/sh", args: ["-c", script, "sh", file, ...args] }
}

/** The limits that a shell can set for itself and all that it starts. */
export type ShellLimits = Pick<Limits, "openFiles" | "fileBytes">

/** Text for a shell that lowers its limits. A hard limit below ours is kept: it cannot be raised, and is as good. */
function lowerLimits({ openFiles, fileBytes }: ShellLimits): string {
  return `ulimit -c 0; ulimit -n ${openFiles} 2>/dev/null; ulimit -f ${Math.floor(fileBytes / 512)} 2>/dev/null`
}

/** A writable tree of a view, with how many mounts are in it. */
export interface MountedTree {
  readonly path: string
  readonly mounts: number
}

/** Said inside a sandbox whose mounts are not where they belong, before anything runs there. */
export const movedMounts = "haft-sandbox: the workspace was changed by another process while the sandbox was built"

/** What is to be counted again inside; nothing where somebody mounted more than the view itself below a tree. */
export function mountedTrees(
  view: readonly Mount[],
  trees: readonly string[],
  hostMounts: readonly string[],
): readonly MountedTree[] {
  return trees
    .filter((path) => !hostMounts.some((place) => place !== path && isInside(place, path)))
    .map((path) => ({ path, mounts: view.filter((mount) => isMountBelow(mount, path)).length }))
}

function isMountBelow({ kind, target }: Mount, path: string): boolean {
  return kind !== "freeze" && kind !== "link" && target !== path && isInside(target, path)
}

/** The arguments that `findMovedMounts` takes away from the front: a path as the kernel writes it, and a number, for each. */
function treeArguments(trees: readonly MountedTree[]): readonly string[] {
  return trees.flatMap(({ path, mounts }) => [asInMountTable(path), String(mounts)])
}

/**
 * Text for a shell that looks whether every mount in these trees shows what is at its own path, or is one of the sandbox's
 * own covers. While a sandbox is built, a command behind another one could exchange a folder that both can write for a link,
 * and what the link points to outside would be mounted. Only built-in words; what to do then is said by the caller.
 */
function findMovedMounts(trees: number, whenMoved: string): string {
  return `haft_trees=${trees}
while [ "$haft_trees" -gt 0 ]; do
  haft_left=$2 haft_own= haft_base=
  while read -r haft_one haft_one haft_device haft_at haft_point haft_rest; do
    case $haft_point in
      "$1") haft_own=$haft_device haft_base=\${haft_at%/} ;;
      "$1"/*)
        case "$haft_device $haft_at" in
          "$haft_own $haft_base\${haft_point#"$1"}" | *" "*/sandbox/blank) haft_left=$((haft_left - 1)) ;;
          *) case $haft_rest in *" tmpfs "*size=4k*) haft_left=$((haft_left - 1)) ;; esac ;;
        esac ;;
    esac
  done < /proc/self/mountinfo
  [ "$haft_left" = 0 ] || { ${whenMoved}; }
  shift 2
  haft_trees=$((haft_trees - 1))
done
unset haft_trees haft_left haft_own haft_base haft_one haft_device haft_at haft_point haft_rest`
}

/** The kernel writes blanks, line breaks and backslashes of a path as octal numbers. */
function asInMountTable(path: string): string {
  return path.replaceAll(/[ \t\n\\]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, "0")}`)
}
