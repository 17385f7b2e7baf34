import { execFile } from "node:child_process"
import { dirname } from "node:path"
import { isInside } from "@haft/contract"
import type { Backend, Detected, DetectRequest, EndOfSandbox, Missing, SandboxPlan, Wrapped } from "../backend.js"
import { findHelper, findOwnProgram, fingerprint } from "../environment/programs.js"
import { type Descriptor, heldDescriptors, heldSource } from "../launch/descriptors.js"
import { insideCommand, relayFailed } from "../launch/inside-command.js"
import type { Mount } from "../view/mount.js"

/** bubblewrap: namespaces, a view built up from nothing, a system-call filter. */
export const bwrap: Backend = {
  name: "bwrap",
  level: "namespaces",
  detect: detectBwrap,
  wrap: wrapWithBwrap,
  explain: explainBwrap,
  reach: "relay",
  notes: () => [],
}

/** Looks for bubblewrap, and for setpriv, which user 0 needs to become somebody else. */
async function detectBwrap({ searchPath, roots }: DetectRequest): Promise<Detected | Missing> {
  if (process.platform !== "linux") return { found: false, reason: "it exists for Linux only" }
  const bwrap = findOwnProgram("bwrap", searchPath, roots)
  if (bwrap === undefined) return { found: false, reason: "bwrap is not on PATH", fix: installBwrap }
  const setpriv = findHelper("setpriv", searchPath, roots)
  const version = await versionOf(bwrap)
  return {
    found: true,
    label: version === undefined ? "bwrap" : `bwrap ${version}`,
    fingerprint: fingerprint([bwrap, ...(setpriv === undefined ? [] : [setpriv])]),
    programs: { bwrap, ...(setpriv !== undefined && { setpriv }) },
  }
}

/** How bubblewrap gets onto a machine. */
const installBwrap =
  "Install bubblewrap, for instance with: apt-get install bubblewrap (dnf, pacman, apk and zypper have it under the same name)"

const versions = new Map<string, Promise<string | undefined>>()

/** Asked once for each binary: a start costs as much as the rest of the preparation. */
function versionOf(bwrap: string): Promise<string | undefined> {
  const key = fingerprint([bwrap])
  const known = versions.get(key)
  if (known) return known
  const asked = runBriefly(bwrap, ["--version"]).then((text) => text?.trim().split(" ").at(-1))
  versions.set(key, asked)
  return asked
}

/** bubblewrap reports the exit code of the command only after it got as far as starting it. */
export function explainBwrap({ stderrTail, exitCode, status, relayRuns }: EndOfSandbox): string | undefined {
  if (!relayRuns && exitCode === 125 && stderrTail.includes(relayFailed)) return relayFailed
  if (exitCode === null || status.includes('"exit-code"')) return undefined
  const line = stderrTail.split("\n").findLast((text) => text.startsWith("bwrap: "))
  if (line === undefined) return undefined
  const reason = line.slice("bwrap: ".length).trim()
  return reason.startsWith("execvp ") ? undefined : reason
}

/** Output of a short run of one of our own programs; undefined when it fails or takes longer than two seconds. */
function runBriefly(file: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { timeout: 2000, env: { PATH: "/usr/bin:/bin", LANG: "C" }, windowsHide: true }
    execFile(file, [...args], options, (error, stdout) => resolve(error ? undefined : stdout))
  })
}

/** The arguments for bubblewrap: values only ever as arguments of their own, never as text that something splits. */
export function wrapWithBwrap(plan: SandboxPlan, { programs }: Detected): Wrapped {
  // First those that a shell has to name, which knows ten; bubblewrap closes the others.
  const descriptors: readonly Descriptor[] = [
    "report",
    ...(plan.relay ? (["relay"] as const) : []),
    ...(plan.waits ? (["handshake"] as const) : []),
    ...heldDescriptors(plan),
    "status",
    "arguments",
    ...(plan.filterFile ? (["filter"] as const) : []),
  ]
  const descriptorOf = (name: Descriptor) => String(3 + descriptors.indexOf(name))
  return {
    file: programs.bwrap!,
    descriptors,
    // The first process inside shows its arguments to the command: these would show which files are masked.
    hiddenArguments: [
      ...namespaces(plan),
      ...viewArguments(plan, Number(descriptorOf("held 0"))),
      "--chdir",
      plan.directory,
      "--json-status-fd",
      descriptorOf("status"),
      ...(plan.filterFile ? ["--seccomp", descriptorOf("filter")] : []),
    ],
    lowersLimits: true,
    args: [
      "--args",
      descriptorOf("arguments"),
      // The shell that watches over the command is the first process, which nothing inside can end. Where it changes its
      // user it would no longer end with the process outside, so that bubblewrap's own is the first one there.
      ...(plan.identity.kind === "owner" ? [] : ["--as-pid-1"]),
      "--",
      ...insideCommand(plan, {
        relayDescriptor: Number(descriptorOf("relay")),
        reportDescriptor: Number(descriptorOf("report")),
        heldDescriptor: Number(descriptorOf("held 0")),
        setpriv: programs.setpriv,
      }),
    ],
  }
}

function namespaces({ identity, variant }: SandboxPlan): readonly string[] {
  return [
    ...(identity.kind === "owner" ? [] : ["--unshare-user"]),
    ...(identity.kind !== "owner" && variant.lockUserNamespaces ? ["--disable-userns"] : []),
    "--unshare-ipc",
    "--unshare-pid",
    "--unshare-net",
    "--unshare-uts",
    "--unshare-cgroup-try",
    "--hostname",
    "haft",
    "--die-with-parent",
    "--new-session",
    "--cap-drop",
    "ALL",
    // Only to become the owner; setpriv gives them up again, and the command never has them.
    ...(identity.kind === "owner"
      ? ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP"]
      : []),
  ]
}

function viewArguments(plan: SandboxPlan, held: number): readonly string[] {
  const { blankFile, identity } = plan
  const mounts = plan.mounts.map((mount) =>
    "source" in mount ? { ...mount, source: heldSource(mount.source, plan, held) } : mount,
  )
  if (identity.kind !== "owner") return mounts.flatMap((mount) => mountArguments(mount, blankFile))
  // bubblewrap makes folders on the way to a mount for its own user alone; the owner must be able to pass them too.
  const open = new Set<string>()
  return mounts.flatMap((mount) => {
    const ways = mount.kind === "freeze" ? [] : waysTo(mount.target).filter((way) => !open.has(way))
    for (const way of ways) open.add(way)
    // What was made below the target is under the mount from now on.
    if (mount.kind !== "freeze") for (const way of open) if (isInside(way, mount.target)) open.delete(way)
    return [...ways.flatMap((way) => ["--perms", "0755", "--dir", way]), ...mountArguments(mount, blankFile)]
  })
}

function waysTo(path: string): readonly string[] {
  const parent = dirname(path)
  return parent === "/" ? [] : [...waysTo(parent), parent]
}

function mountArguments(mount: Mount, blankFile: string): readonly string[] {
  switch (mount.kind) {
    case "read":
      return ["--ro-bind", mount.source, mount.target]
    case "write":
      return ["--bind", mount.source, mount.target]
    case "memory":
      return ["--perms", octal(mount.mode), "--size", String(mount.maxBytes), "--tmpfs", mount.target]
    case "link":
      return ["--symlink", mount.text, mount.target]
    case "processes":
      // User 0 owns the settings of the kernel, and the kernel asks for no capability before it lets their owner write.
      return ["--proc", mount.target, "--remount-ro", mount.target]
    case "devices":
      return ["--dev", mount.target]
    case "hide":
      return mount.what === "file"
        ? ["--ro-bind", blankFile, mount.target]
        : ["--perms", "0000", "--size", "4096", "--tmpfs", mount.target]
    case "placeholder":
      // In memory: for a bind and for a remount bubblewrap reads the whole mount table, which costs many times as much.
      // A command that makes it writable by force writes into memory that is gone with the sandbox, never into the workspace.
      return ["--perms", "0555", "--size", "4096", "--tmpfs", mount.target]
    case "freeze":
      return ["--remount-ro", mount.target]
  }
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, "0")
}
