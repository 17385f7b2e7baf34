import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import {
  type Descriptor,
  type Detected,
  heldDescriptors,
  heldSource,
  type SandboxPlan,
  type Wrapped,
} from "../backend.js"
import { insideCommand, withoutRights } from "../inside-command.js"
import { becomeCommand } from "../supervising-shell.js"
import type { Mount } from "../view/mount.js"
import { buildScript } from "./build-script.js"
import { type HostMount, mountOf, mountsBelow, parseMounts } from "./mount-flags.js"

/** The arguments for unshare: namespaces, then a script that builds the view, then the way down to the command. */
export function wrapWithUnshare(
  plan: SandboxPlan,
  detected: Detected,
  mounts: readonly HostMount[] = hostMounts(),
): Wrapped {
  const { programs } = detected
  const { held = [] } = plan
  const descriptors: readonly Descriptor[] = [
    "status",
    "left",
    ...(plan.relay ? (["relay"] as const) : []),
    ...(plan.waits ? (["words"] as const) : []),
    ...heldDescriptors(plan),
  ]
  const firstHeld = 3 + descriptors.length - held.length
  return {
    file: programs.setpriv!,
    descriptors,
    args: [
      // Ends the sandbox when Haft ends.
      "--pdeathsig",
      "KILL",
      programs.unshare!,
      ...(plan.identity.kind === "owner" ? [] : ["--user", "--map-root-user"]),
      "--mount",
      "--propagation",
      "private",
      "--pid",
      "--fork",
      "--kill-child",
      "--net",
      "--ipc",
      "--uts",
      "--cgroup",
      "--",
      "/bin/sh",
      "-c",
      buildScript(plan.relay ? 1 : 0),
      "sh",
      foldersOf(programs).join(":"),
      // An empty folder that the new root is mounted over, in a namespace of its own.
      join(dirname(plan.blankFile), "root"),
      ...plan.mounts.flatMap((mount) =>
        steps(mount, { blankFile: plan.blankFile, mounts, sourceOf: (path) => heldSource(path, plan, firstHeld) }),
      ),
      ...held.flatMap((path, index) => ["held", path, String(firstHeld + index)]),
      "--",
      programs.ip ?? "",
      plan.directory,
      ...wayDown(plan, programs),
    ],
  }
}

/** Where the builder of the view finds what it starts; beside the programs that were found it makes folders and links. */
function foldersOf({ mount, umount, pivot_root }: Detected["programs"]): readonly string[] {
  return [...new Set([dirname(mount!), dirname(umount!), dirname(pivot_root!), "/usr/bin", "/bin"])]
}

/**
 * From the builder of the view to the command: own session, own user namespace in which further ones are forbidden,
 * no rights, the relay if there is one, and a word on the status descriptor that the sandbox stands.
 */
function wayDown(plan: SandboxPlan, programs: Detected["programs"]): readonly string[] {
  const { identity, variant } = plan
  const owner = identity.kind === "root" ? { uid: 0, gid: 0 } : identity
  const lock = variant.lockUserNamespaces ? "echo 0 > /proc/sys/user/max_user_namespaces || exit 125\n" : ""
  // User 0 owns the settings of the kernel, and the kernel asks for no capability before it lets their owner write. The
  // namespaces above are made by way of the same folder, so that it is closed here, in a further view of the same mounts.
  const isSealed = identity.kind === "root" && variant.processes
  const seal = isSealed ? '"$1" -n -o remount,bind,ro /proc || exit 125\nshift\n' : ""
  return [
    programs.setsid!,
    ...(identity.kind === "owner"
      ? [programs.setpriv!, "--reuid", String(identity.uid), "--regid", String(identity.gid), "--clear-groups", "--"]
      : []),
    programs.unshare!,
    "--user",
    ...(isSealed ? ["--mount"] : []),
    `--map-user=${owner.uid}`,
    `--map-group=${owner.gid}`,
    "--keep-caps",
    "--",
    "/bin/sh",
    "-c",
    `${lock}${seal}exec "$@"`,
    "sh",
    ...(isSealed ? [programs.mount!] : []),
    programs.setpriv!,
    ...withoutRights,
    "--",
    ...insideCommand(
      // The owner was changed above, before the last namespace.
      { ...plan, identity: { kind: "root" }, argv: ["/bin/sh", "-c", sayStarted, "sh", ...plan.argv] },
      { relayDescriptor: 5, statusDescriptor, setpriv: undefined },
    ),
  ]
}

const statusDescriptor = 3
const sayStarted = `echo started >&${statusDescriptor}\n${becomeCommand(statusDescriptor)}`

interface StepOptions {
  readonly blankFile: string
  readonly mounts: readonly HostMount[]
  /** Where a path of the host is to be mounted from. */
  readonly sourceOf: (path: string) => string
}

function steps(mount: Mount, options: StepOptions): readonly string[] {
  switch (mount.kind) {
    case "read":
      return bindReadOnly(mount.source, mount.target, options)
    case "write":
      return ["bind", options.sourceOf(mount.source), mount.target, ""]
    case "memory":
      return ["memory", mount.mode.toString(8), String(mount.maxBytes), mount.target]
    case "link":
      return ["link", mount.text, mount.target]
    case "processes":
      return ["processes", mount.target]
    case "devices":
      return ["devices", mount.target]
    case "hide":
      return [
        ...["existing", mount.target],
        ...(mount.what === "file"
          ? bindReadOnly(options.blankFile, mount.target, options)
          : ["memory", "0", "4096,ro", mount.target]),
      ]
    case "hold":
      return ["existing", mount.target, "memory", "555", "4096,ro", mount.target]
    case "freeze":
      return ["protect", "", mount.target]
  }
}

/** Read-only holds for one mount at a time, so that those below are named as well. */
function bindReadOnly(source: string, target: string, { mounts, sourceOf }: StepOptions): readonly string[] {
  const below = mountsBelow(source, mounts)
  return [
    ...["bind", sourceOf(source), target, `,ro${mountOf(source, mounts)?.flags ?? ""}`],
    ...below.flatMap(({ path, flags }) => ["protect", flags, target + path.slice(source.length)]),
  ]
}

function hostMounts(): readonly HostMount[] {
  return parseMounts(readFileSync("/proc/self/mountinfo", "utf8"))
}
