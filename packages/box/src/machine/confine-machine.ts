import { machineDescriptors } from "./qemu-arguments.js"

/** The programs that start and confine a machine, as absolute paths. */
export interface MachinePrograms {
  readonly qemu: string
  readonly bwrap: string
  readonly prlimit: string
  readonly setpriv: string
}

/** What the process of a machine may see and use. */
export interface MachineSandbox {
  readonly programs: MachinePrograms
  /** Root starts machines as another user; an ordinary user as itself in a user namespace. */
  readonly asRoot: boolean
  /** Top folders such as /lib with what they are: links are made again, folders are bound read-only. */
  readonly systemFolders: readonly SystemFolder[]
  /** A read-only folder of the host and its place in the machine's view. */
  readonly imageFolder: string
  readonly memoryMiB: number
  /** A folder with a socket that takes the snapshot. */
  readonly snapshotFolder?: string
  /** A device node for hardware virtualisation. */
  readonly kvmDevice?: string
}

/** A top folder of the host. */
export interface SystemFolder {
  readonly path: string
  readonly linksTo?: string
}

/** Where the machine sees the image and the snapshot's socket. */
export const machinePlaces = { image: "/image", snapshot: "/snapshot" } as const

/** The user that machines of root run as: nobody. */
export const machineUser = 65534

const mebibyte = 1024 * 1024

/**
 * QEMU in a sandbox of its own: namespaces, no network, a view that holds programs and one image, another user, no
 * files to write. An emulated machine isolates strongly, but must not be the only barrier.
 */
export function confineMachine(sandbox: MachineSandbox, qemuArguments: readonly string[]): readonly string[] {
  const { programs, memoryMiB } = sandbox
  return [
    programs.bwrap,
    ...(sandbox.asRoot ? rootNamespaces : ["--unshare-all"]),
    ...[
      "--info-fd",
      String(machineDescriptors.sandbox),
      "--die-with-parent",
      "--new-session",
      "--hostname",
      "box",
      "--clearenv",
      "--setenv",
      "PATH",
      "/usr/bin",
    ],
    ...["--cap-drop", "ALL", ...(sandbox.asRoot ? capabilitiesToDrop : [])],
    ...sandbox.systemFolders.flatMap(({ path, linksTo }) =>
      linksTo === undefined ? ["--ro-bind", path, path] : ["--symlink", linksTo, path],
    ),
    ...["--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache", "--proc", "/proc", "--dev", "/dev"],
    ...["--ro-bind", sandbox.imageFolder, machinePlaces.image],
    ...(sandbox.snapshotFolder === undefined ? [] : ["--ro-bind", sandbox.snapshotFolder, machinePlaces.snapshot]),
    ...(sandbox.kvmDevice === undefined ? [] : ["--dev-bind", sandbox.kvmDevice, "/dev/kvm"]),
    ...["--chdir", "/", "--remount-ro", "/", "--"],
    // Two gigabytes over the guest's memory: code cache, stacks and libraries are mapped, not used.
    ...[programs.prlimit, "--core=0", "--fsize=0", "--nofile=128", `--as=${(memoryMiB + 2048) * mebibyte}`, "--"],
    ...(sandbox.asRoot ? [programs.setpriv, ...otherUser, "--"] : []),
    programs.qemu,
    ...qemuArguments,
  ]
}

// No user namespace for root: in one, the other user would still be root to the kernel.
const rootNamespaces = ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
const capabilitiesToDrop = ["CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"].flatMap((name) => ["--cap-add", name])
const otherUser = [
  `--reuid=${machineUser}`,
  `--regid=${machineUser}`,
  "--clear-groups",
  "--no-new-privs",
  "--inh-caps=-all",
  "--bounding-set=-all",
]
