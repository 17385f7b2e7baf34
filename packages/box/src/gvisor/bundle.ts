import { guestUser } from "../guest/guest-programs.js"

/** What a command behind gVisor is started with. */
export interface BundlePlan {
  /** The root file system as a folder; it is never written. */
  readonly root: string
  /** Folders that are memory. */
  readonly writable: readonly string[]
  readonly memoryBytes: number
  readonly environment: Readonly<Record<string, string>>
  readonly argv: readonly string[]
}

const noCapabilities = { bounding: [], effective: [], permitted: [], inheritable: [], ambient: [] }
const openFiles = 1024

/** The description of a container that runsc reads: a read-only root, memory to write to, an ordinary user, no rights. */
export function bundleConfiguration(plan: BundlePlan) {
  const memory = (destination: string) => ({
    ...{ destination, type: "tmpfs", source: "tmpfs" },
    options: [
      "nosuid",
      "nodev",
      "mode=0755",
      `uid=${guestUser}`,
      `gid=${guestUser}`,
      `size=${Math.floor(plan.memoryBytes / 2)}`,
    ],
  })
  return {
    ociVersion: "1.0.2",
    hostname: "box",
    process: {
      terminal: false,
      user: { uid: guestUser, gid: guestUser },
      args: plan.argv,
      env: Object.entries(plan.environment).map(([name, value]) => `${name}=${value}`),
      cwd: "/",
      noNewPrivileges: true,
      capabilities: noCapabilities,
      rlimits: [
        { type: "RLIMIT_NOFILE", hard: openFiles, soft: openFiles },
        { type: "RLIMIT_CORE", hard: 0, soft: 0 },
      ],
    },
    root: { path: plan.root, readonly: true },
    mounts: [{ destination: "/proc", type: "proc", source: "proc" }, ...["/dev/shm", ...plan.writable].map(memory)],
    // A network namespace without any path of its own is a new and empty one.
    linux: { namespaces: ["pid", "network", "ipc", "uts", "mount"].map((type) => ({ type })) },
  }
}
