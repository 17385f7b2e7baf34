import { existsSync, readlinkSync } from "node:fs"
import { join } from "node:path"
import type { ProbeCheck } from "./probe-script.js"

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
  try {
    return readlinkSync(`/proc/self/ns/${name}`)
  } catch {
    return undefined
  }
}
