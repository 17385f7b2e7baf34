import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Detected, SandboxPlan, Wrapped } from "../backend.js"
import { type Descriptor, heldDescriptors, heldSource } from "../launch/descriptors.js"
import { insideCommand, withoutRights } from "../launch/inside-command.js"
import { becomeCommand, superviseCommand } from "../launch/supervising-shell.js"
import { waitUntilPlaced } from "../limit/cgroup-placement.js"
import { type HostMount, mountOf, mountsBelow, parseMounts } from "../view/host-mounts.js"
import type { Mount } from "../view/mount.js"

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
    "report",
    ...(plan.relay ? (["relay"] as const) : []),
    ...(plan.waits ? (["handshake"] as const) : []),
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
 * no rights, the relay if there is one, and a word on the status descriptor that the sandbox is set up.
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
    case "placeholder":
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

// The first process waits here until it may begin, and reports orphan processes; the command does not get it.
const reportDescriptor = 4

/**
 * Builds the view from the arguments it is given and then runs the rest of them. Every value is an argument; this text is
 * always the same, but for how many processes beside the command are the sandbox's own. It is the first process of its own
 * process tree, with every right inside the namespaces and none outside; the command it starts gives up all of them. At
 * the end it forgets its arguments, which the command could see. Its variables have names of their own: one that came with
 * the environment goes on to the command as it was. That is so for the search path too, which is not where its own
 * programs are looked for: those of an ordinary user do not name the folder of `pivot_root`, and a search path without
 * any folder means the current one. It makes nothing for what was there when the view was planned: where a folder was
 * exchanged for a link meanwhile, that would be made on the host.
 */
const buildScript = (company: number): string => `
haft_path=$PATH PATH=$1; shift
folder() { [ -d "$1" ] || mkdir -p "$1"; }
fail() { echo "haft-sandbox: $1" >&2; exit 125; }
place() { if [ -d "$1" ]; then folder "$2"; else [ -e "$2" ] || { mkdir -p "\${2%/*}" && : > "$2"; }; fi; }
bind() { [ -e "$1" ] && place "$1" "$haft_root$2" && mount -n -o "rbind$3" "$1" "$haft_root$2"; }
memory() { folder "$haft_root$3" && mount -n -t tmpfs -o "mode=$1,size=$2" tmpfs "$haft_root$3"; }
devices() {
  memory 755 65536 "$1" && for haft_name in null zero full random urandom tty; do bind "/dev/$haft_name" "$1/$haft_name" || return 1; done
  ln -s /proc/self/fd "$haft_root$1/fd" && ln -s fd/0 "$haft_root$1/stdin" && ln -s fd/1 "$haft_root$1/stdout" && ln -s fd/2 "$haft_root$1/stderr"
  mkdir "$haft_root$1/pts" && mount -n -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$haft_root$1/pts" && ln -s pts/ptmx "$haft_root$1/ptmx"
}
umask 022
haft_root=$1; shift
mount -n -t tmpfs -o mode=755 tmpfs "$haft_root" || fail "a root in memory was refused"
while [ "$1" != -- ]; do
  case $1 in
    existing) [ -e "$haft_root$2" ] || fail "$2 is gone"; shift 2 ;;
    bind) bind "$2" "$3" "$4" || fail "$3 could not be bound"; shift 4 ;;
    memory) memory "$2" "$3" "$4" || fail "$4 could not be made"; shift 4 ;;
    link) folder "$haft_root\${3%/*}" && ln -s "$2" "$haft_root$3" || fail "$3 could not be linked"; shift 3 ;;
    processes) folder "$haft_root$2" && mount -n -t proc proc "$haft_root$2" || fail "a process table was refused"; shift 2 ;;
    devices) devices "$2" || fail "devices could not be bound"; shift 2 ;;
    held) [ "$haft_root$2" -ef "/proc/self/fd/$3" ] || fail "$2 was exchanged"; eval "exec $3<&-"; shift 3 ;;
    protect) mount -n -o "remount,bind,ro$2" "$haft_root$3" || fail "$3 could not be made read-only"; shift 3 ;;
    *) fail "there is no step $1" ;;
  esac
done
shift
haft_ip=$1 haft_directory=$2; shift 2
[ -z "$haft_ip" ] || "$haft_ip" link set lo up 2>/dev/null
cd "$haft_root" && pivot_root . . && umount -l . && cd / || fail "the root could not be changed"
cd "$haft_directory" || fail "$haft_directory is not in the view"
${waitUntilPlaced(reportDescriptor)}
PATH=$haft_path
exec /bin/sh -c '${superviseCommand({ descriptor: reportDescriptor, company })}' sh "$@"
`
