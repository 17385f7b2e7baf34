import { existsSync, readlinkSync } from "node:fs"
import { join } from "node:path"
import { bestEffort } from "@haft/contract"

/** What the probe finds out, in the order it is shown. */
export const probeChecks = [
  "runs a command",
  "cannot write outside the view",
  "cannot read outside the view",
  "has no network",
  "has its own process tree",
  "has no capabilities",
  "cannot gain privileges",
  "cannot make user namespaces",
  "cannot change settings of the kernel",
  "filters system calls",
  "has its own session",
] as const

/** One of the things that are checked. */
export type ProbeCheck = (typeof probeChecks)[number]

/** Without these a sandbox is no sandbox. The filter is the one thing that a backend may lack and still be used. */
export const neededChecks: readonly ProbeCheck[] = probeChecks.filter((check) => check !== "filters system calls")

/**
 * Runs inside the sandbox and prints what it sees; arguments: a path outside the view, the port of a server on the host.
 * Plain sh and /proc, because a probe that needs further programs would say more about them than about the sandbox.
 */
export const probeScript = `
outside=$1 port=$2
echo ran=yes
(echo x > "$outside/written") 2>/dev/null && echo wrote=yes || echo wrote=no
[ -e "$outside/secret" ] && echo read=yes || echo read=no
if [ -x /bin/bash ] && /bin/bash -c "exec 9<>/dev/tcp/127.0.0.1/$port" 2>/dev/null; then echo connected=yes; else echo connected=no; fi
[ -r /proc/self/status ] && echo proc=yes || echo proc=no
while read -r name value rest; do
  case $name in
    CapEff:|CapPrm:|NoNewPrivs:|Seccomp:) echo "$name$value" ;;
  esac
done < /proc/self/status 2>/dev/null
echo "net=$(readlink /proc/self/ns/net)"
echo "pid=$(readlink /proc/self/ns/pid)"
read -r line < /proc/self/stat 2>/dev/null && line=\${line##*) } && set -- $line && echo "session=$4"
(: >> /proc/sys/kernel/hostname) 2>/dev/null && echo settings=yes || echo settings=no
unshare --user true 2>/dev/null && echo userns=yes || echo userns=no
`

/** One thing that was checked. */
export interface ProbeResult {
  readonly name: ProbeCheck
  readonly ok: boolean
  readonly detail?: string
}

/** Judges what the probe printed; what it did not print counts as failed. */
export function readProbe(output: string, outside: string): readonly ProbeResult[] {
  const values = new Map(
    output
      .split("\n")
      .map((line) => /^(\w+)[=:]\s*(.*)$/.exec(line))
      .flatMap((found) => (found ? [[found[1]!, found[2]!] as const] : [])),
  )
  const says = (name: string, expected: string) => values.get(name) === expected
  // Without a process table the kernel's own account is missing; what was tried for real has to be enough.
  const seesProcesses = says("proc", "yes")
  const differs = (name: "net" | "pid") => values.get(name) !== undefined && values.get(name) !== ownNamespace(name)
  const account = (name: string, expected: RegExp) => !seesProcesses || expected.test(values.get(name) ?? "")
  const result = (name: ProbeCheck, ok: boolean): ProbeResult => ({ name, ok })
  return [
    result("runs a command", says("ran", "yes")),
    result("cannot write outside the view", says("ran", "yes") && !existsSync(join(outside, "written"))),
    result("cannot read outside the view", says("read", "no")),
    result("has no network", says("connected", "no") && (!seesProcesses || differs("net"))),
    result("has its own process tree", says("ran", "yes") && (!seesProcesses || differs("pid"))),
    result("has no capabilities", account("CapEff", /^0+$/) && account("CapPrm", /^0+$/)),
    result("cannot gain privileges", account("NoNewPrivs", /^1$/)),
    result("cannot make user namespaces", says("userns", "no")),
    result("cannot change settings of the kernel", says("settings", "no")),
    result("filters system calls", seesProcesses && says("Seccomp", "2")),
    result("has its own session", !seesProcesses || Number(values.get("session")) > 0),
  ]
}

function ownNamespace(name: "net" | "pid"): string | undefined {
  return bestEffort("without /proc there is nothing to compare", () => readlinkSync(`/proc/self/ns/${name}`))
}
