import type { WallPlan } from "./backend.js"

/** How the first process inside the wall is put together. */
export interface InsideOptions {
  /** The descriptor that leads to the proxy. */
  readonly relayDescriptor: number
  readonly setpriv: string | undefined
}

/** The command with everything that has to happen inside the wall before it: relay, limits, owner. */
export function insideCommand(plan: WallPlan, { relayDescriptor, setpriv }: InsideOptions): readonly string[] {
  const { identity, relay, argv } = plan
  const owner =
    identity.kind === "owner" && setpriv !== undefined
      ? [setpriv, "--reuid", String(identity.uid), "--regid", String(identity.gid), "--clear-groups", ...withoutRights]
      : []
  if (!relay && !plan.limitProcesses) return [...owner, ...argv]
  const script = [
    ...(plan.limitProcesses
      ? [`ulimit -u ${plan.limits.processes} 2>/dev/null || ulimit -p ${plan.limits.processes} 2>/dev/null`]
      : []),
    ...(relay ? [startRelay(relayDescriptor), "shift 2"] : []),
    'exec "$@"',
  ].join("\n")
  return [...owner, "/bin/sh", "-c", script, "sh", ...(relay ? [relay.node, relay.source] : []), ...argv]
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
 * gets no descriptor of it. 125 is what a wall answers that could not be set up.
 */
function startRelay(descriptor: number): string {
  return [
    `ready=$(exec "$1" -e "$2" ${descriptor} 2>/dev/null </dev/null &)`,
    `exec ${descriptor}<&-`,
    `[ "$ready" = ready ] || { echo "${relayFailed}" >&2; exit 125; }`,
  ].join("\n")
}

/** What a wall says whose relay did not start. */
export const relayFailed = "haft: the relay to the network did not start"
