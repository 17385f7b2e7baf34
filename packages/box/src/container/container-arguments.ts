import { guestUser } from "../guest/agent-script.js"

/** What a container is started with. */
export interface ContainerPlan {
  /** The program of the system that makes containers for podman, as an absolute path. */
  readonly runtime: string
  readonly name: string
  /** The root file system as a folder; it is never written. */
  readonly root: string
  /** Folders that are memory. */
  readonly writable: readonly string[]
  readonly memoryBytes: number
  readonly processes: number
  /** The most processes that the user of the command may have on this host. */
  readonly userProcesses: number
  readonly environment: Readonly<Record<string, string>>
  readonly argv: readonly string[]
}

// Enough for programs, and below what any host allows: podman's own default may not be reached without rights.
const openFiles = 1024

/** The words that make podman run a command over a folder, with nothing of the host but its kernel. */
export function containerArguments(plan: ContainerPlan): readonly string[] {
  const memoryBytes = String(plan.memoryBytes)
  // Owned by the user of the command: where the image has the folder too, its mode holds, whatever is asked for.
  const temporary = `U=true,notmpcopyup,tmpfs-mode=0755,tmpfs-size=${Math.floor(plan.memoryBytes / 2)}`
  return [
    ...[
      "--runtime",
      plan.runtime,
      "--log-level",
      "error",
      "run",
      "--rm",
      "--name",
      plan.name,
      "--interactive",
      "--sig-proxy=false",
    ],
    // Nothing is fetched, ever; a folder needs no image either.
    ...["--pull", "never", "--network", "none", "--no-hosts", "--http-proxy=false", "--hostname", "box"],
    ...["--cap-drop", "all", "--security-opt", "no-new-privileges", "--user", `${guestUser}:${guestUser}`],
    ...["--passwd-entry", `box:*:${guestUser}:${guestUser}:box:/home/box:/bin/sh`],
    ...["--ipc", "private", "--cgroupns", "private", "--systemd", "false", "--log-driver", "none"],
    // Without swap, so that the limit is the limit.
    ...["--memory", memoryBytes, "--memory-swap", memoryBytes, "--pids-limit", String(plan.processes)],
    ...["--ulimit", `nofile=${openFiles}:${openFiles}`, "--ulimit", "core=0:0"],
    ...["--ulimit", `nproc=${plan.userProcesses}:${plan.userProcesses}`],
    ...["--read-only", "--read-only-tmpfs=false", "--shm-size", String(Math.floor(plan.memoryBytes / 4))],
    ...plan.writable.flatMap((place) => ["--mount", `type=tmpfs,destination=${place},${temporary}`]),
    ...[
      "--unsetenv-all",
      ...Object.entries(plan.environment).flatMap(([name, value]) => ["--env", `${name}=${value}`]),
    ],
    // A layer of its own over the folder: mount points are made there, and are gone with the container.
    ...["--workdir", "/", "--rootfs", `${plan.root}:O`, ...plan.argv],
  ]
}

/** Whether podman could take a path for something else: its words are taken apart at these characters. */
export function isPlainPath(path: string): boolean {
  return !/[:,\s]/.test(path)
}

/** The variables of podman itself: where its state is, and no settings that could add to a container. */
export function podmanEnvironment(folders: readonly string[]): Record<string, string> {
  const { HOME = "/", XDG_RUNTIME_DIR } = process.env
  return {
    PATH: folders.join(":"),
    HOME,
    LANG: "C.UTF-8",
    ...(XDG_RUNTIME_DIR !== undefined && { XDG_RUNTIME_DIR }),
    // Settings of users add folders, variables and devices to every container.
    CONTAINERS_CONF: "/dev/null",
  }
}
