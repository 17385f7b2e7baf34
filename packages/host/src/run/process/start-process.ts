import { type ChildProcess, spawn } from "node:child_process"
import { statSync } from "node:fs"
import { ToolError } from "@haft/contract"
import type { Launch, PreparedSandbox, ProcessExit, ProgramEnd } from "../../sandbox/sandbox.js"
import { cgroupParent, cgroupPrefix } from "./cgroup.js"
import { ProcessTree } from "./process-tree.js"
import { spawnLaunch, startError, tagName, tagPrefix, withoutStrangers } from "./spawn.js"

/** A program to start in a sandbox. */
export interface StartRequest {
  readonly sandbox: PreparedSandbox
  /** The tag that the environment of the sandbox carries as well. */
  readonly tag: string
  readonly argv: readonly string[]
  /** Standard input, output and error: a pipe, nothing, or a descriptor that is lent. */
  readonly stdio: readonly ("ignore" | "pipe" | number)[]
  /** A further duplex channel under this descriptor number. */
  readonly channel?: number
}

/** A program that runs. */
export interface StartedProcess {
  readonly child: ChildProcess
  readonly launch: Launch
  readonly tree: ProcessTree
}

/** Starts a program in a session of its own. Failing to start is an error that says why. */
export async function startProcess(request: StartRequest): Promise<StartedProcess> {
  const { sandbox, tag, argv, stdio, channel } = request
  const prewarmed = takePrewarmed(request)
  if (prewarmed) return prewarmed
  const launch = sandbox.launch(argv)
  const confined = sandbox.isolation.level === "namespaces"
  // Also for sandboxes: they die with us only once they stand, and until then their processes are known by their tag alone.
  watchOrphans()
  const child = spawnLaunch(launch, { tag, stdio: withChannel([...stdio, ...launch.extraFds], channel) })
  const { pid } = child
  if (pid === undefined) throw await failure(child, launch, argv)
  // A late error of the child object tells of a signal that could not be sent; nobody waits for it.
  child.on("error", () => undefined)
  const tree = new ProcessTree({ pid, tag, confined })
  launch.onSpawn?.(child)
  return { child, launch, tree }
}

/** A process that was started ahead, where one fits: it has nothing on standard input, and the tag it was born with. */
function takePrewarmed({ sandbox, argv, stdio, channel }: StartRequest): StartedProcess | undefined {
  if (channel !== undefined || stdio.join() !== "ignore,pipe,pipe") return undefined
  const taken = sandbox.takePrewarmed?.(argv)
  if (!taken) return undefined
  const { child, launch, tag } = taken
  // What it starts is younger than this moment, and what is older hangs below it.
  return { child, launch, tree: new ProcessTree({ pid: child.pid!, tag, confined: true }) }
}

function withChannel(
  stdio: ("ignore" | "pipe" | number)[],
  channel: number | undefined,
): ("ignore" | "pipe" | number)[] {
  if (channel === undefined) return stdio
  while (stdio.length < channel) stdio.push("ignore")
  return [...stdio, "pipe"]
}

async function failure(child: ChildProcess, launch: Launch, argv: readonly string[]): Promise<ToolError> {
  const error = await new Promise<NodeJS.ErrnoException>((resolve) => child.once("error", resolve))
  const program = argv[0] ?? launch.file
  if (!isDirectory(launch.cwd)) {
    return new ToolError("not_found", `Cannot run "${program}": the directory "${launch.cwd}" does not exist`)
  }
  return startError(program, error.code, error)
}

/** The exit of a started process as the child object tells it. */
export function exitOf({ child }: Pick<StartedProcess, "child">): Promise<ProcessExit> {
  return new Promise((resolve) =>
    child.once("exit", (exitCode, signal) => resolve({ exitCode, ...(signal !== null && { signal }) })),
  )
}

/** How the program of a launch ended, after the exit of its process. */
export async function programEnd(launch: Launch, exit: ProcessExit, stderrTail: string): Promise<ProgramEnd> {
  return (await launch.end?.(exit, stderrTail)) ?? { ...exit, orphans: 0 }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

// Waits until Haft is gone, however it ended, and then ends what is left of all that it had started. It looks for a while:
// the environment of a process that is just starting a program cannot be read. One grep reads all of them, because one for
// each took seconds on a busy machine.
// Arguments: the tag to look for, the control groups to kill.
const script = `
trap '' HUP INT QUIT TERM
read -r unused
for round in 1 2 3 4 5 6 7 8 9 10; do
  for group in "$2"*; do
    [ -e "$group/cgroup.kill" ] && echo 1 > "$group/cgroup.kill"
  done
  for environment in $(grep -lsaF -e "$1" /proc/[0-9]*/environ); do
    pid=\${environment#/proc/}
    kill -9 "\${pid%/environ}"
  done
  sleep 0.1
done 2>/dev/null
for round in 1 2 3 4 5 6; do
  left=
  for group in "$2"*; do
    [ -d "$group" ] && { rmdir "$group" || left=yes; }
  done
  [ "$left" ] || break
  sleep 0.5
done 2>/dev/null
`

// One watcher serves the whole process, whichever session starts something first.
let watched = false

/** Sees to it that nothing outlives this process. One small watcher serves all starts; it does not keep Haft alive. */
export function watchOrphans(): void {
  if (watched || process.platform !== "linux") return
  watched = true
  const parent = cgroupParent()
  const groups = parent === undefined ? "/nonexistent/" : `${parent}/${cgroupPrefix}`
  const child = spawn("/bin/sh", ["-c", script, "sh", `${tagName}=${tagPrefix}.`, groups], {
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    // It lives as long as Haft does: a terminal that it held open would never end.
    stdio: withoutStrangers(["pipe", "ignore", "ignore"]),
    detached: true,
  })
  const { stdin } = child
  // Without a shell there is no watcher, and everything else works.
  child.on("error", () => undefined)
  stdin?.on("error", () => undefined)
  child.unref()
  ;(stdin as { unref?(): void } | null)?.unref?.()
}
