import { type BigIntStats, lstatSync, readFileSync, statSync } from "node:fs"
import type { Socket } from "node:net"
import { bestEffort, isInside, ToolError } from "@haft/contract"
import { ProcessTree } from "../../run/process/process-tree.js"
import { nextProcessTag, programNotStarted, spawnLaunch, tagName } from "../../run/process/spawn.js"
import { programEnd } from "../../run/process/start-process.js"
import type { OwnedLaunch } from "../launch/launch.js"
import type { LaunchPlanner, PlannedLaunch } from "../launch/plan-launch.js"
import { becomeCommand, failedStart } from "../launch/supervising-shell.js"
import type { SandboxParts } from "../plan/prepare-sandbox.js"
import type { TakenPrewarmed } from "../sandbox.js"
import { plainText } from "../view/host-mounts.js"
import type { Mount } from "../view/mount.js"
import type { PrewarmPlan } from "./pool.js"

/** A sandbox that is set up, or about to be, in which only a shell waits for the handshake. It can become one command, once. */
export interface PrewarmedSandbox {
  isWaiting(): boolean
  /** Turns it into a command; from now on it belongs to the caller. */
  take(words: string, program: string, onLost: () => void): OwnedPrewarmed
  /** Ends it; settles when nothing of it is left. */
  end(): Promise<void>
}

/** A prewarmed sandbox that was taken, with what must be closed when its command has ended. */
export interface OwnedPrewarmed extends TakenPrewarmed {
  readonly launch: OwnedLaunch
}

/** Starts a launch whose program waits for the handshake. It does not keep this process alive, and dies with it. */
export function startPrewarmed(launch: OwnedLaunch): PrewarmedSandbox | undefined {
  const tag = nextProcessTag()
  const child = spawnLaunch(launch, { tag, stdio: ["ignore", "pipe", "pipe", ...launch.extraFds] })
  // A process that could not be started has no number.
  child.on("error", () => undefined)
  const { pid } = child
  if (pid === undefined) {
    launch.dispose()
    return undefined
  }
  launch.onSpawn?.(child)
  const words = child.stdio[launch.handshake as 3] as unknown as Socket
  const streams = [child.stdout as Socket, child.stderr as Socket, words]
  // A process that is gone reads nothing: its exit is noticed when the sandbox is taken.
  words.on("error", () => undefined)
  let report = ""
  words.on("data", (chunk: Buffer) => {
    report += chunk.toString("latin1")
  })
  for (const one of [child, ...streams]) one.unref()

  const isWaiting = () => child.exitCode === null && child.signalCode === null
  return {
    isWaiting,
    take(text, program, onLost) {
      for (const one of [child, ...streams]) one.ref()
      words.end(text)
      return { child, tag, launch: reportingLoss(launch, { report: () => report, program, onLost }) }
    },
    async end() {
      // The number of one that is gone may belong to anybody by now.
      if (isWaiting()) await new ProcessTree({ pid, tag, confined: true }).kill()
      for (const stream of streams) stream.destroy()
      launch.dispose()
    },
  }
}

interface HandshakeReport {
  /** What the shell has answered: that it got the whole command, and that it could not become the program. */
  readonly report: () => string
  readonly program: string
  readonly onLost: () => void
}

/** A command that was not understood, or whose shell was killed, did not run: never its exit code. */
function reportingLoss(launch: OwnedLaunch, { report, program, onLost }: HandshakeReport): OwnedLaunch {
  return {
    ...launch,
    async end(exit, stderrTail) {
      const end = await programEnd(launch, exit, stderrTail)
      const code = failedStart(report())
      if (end.failure) return end
      if (code !== undefined) return { ...end, failure: programNotStarted(program, code) }
      if (report() !== "") return end
      onLost()
      const message = "Cannot run the command: it did not reach the sandbox that was started ahead; try again"
      return { ...end, failure: new ToolError("backend", message) }
    },
  }
}

/** The program of a prewarmed sandbox: a shell that reads a command from a descriptor and then becomes it. */
export function handshakeArgv(descriptor: number): readonly string[] {
  const become = becomeCommand(descriptor)
  return ["/bin/sh", "-c", script.replaceAll("{words}", String(descriptor)).replace("{become}", () => become)]
}

/**
 * What to send so that it becomes this program; undefined for a program that has to be looked for, and for words that
 * are long or more than plain text: a shell reads letter by letter, and not every one keeps every letter.
 */
export function handshakeFor(argv: readonly string[]): string | undefined {
  const words = argv.map((word) => `${word.split("\n").length} ${word.length}\n${word}\n`)
  const text = `${words.join("")}run ${argv.length}\n`
  const canBeSent = argv[0]?.startsWith("/") === true && text.length <= maxLength && /^[\t\n -~]*$/.test(text)
  return canBeSent ? text : undefined
}

const maxLength = 4096

/** What it prints when the command was incomplete or damaged. */
export const handshakeFailed = "haft: the command did not reach the sandbox that waited for it"

// The shell confirms the whole command before it becomes that, which cannot confirm anything. Each word comes as the number
// of its lines, its length, and itself. Nothing of it is ever read as a line of shell: a word is a value from beginning to
// end. What is incomplete or has another length than announced is not run.
const script = `
while IFS=' ' read -r haft_lines haft_length <&{words}; do
  if [ "$haft_lines" = run ]; then
    [ "$#" = "$haft_length" ] || break
    echo received >&{words}
    {become}
  fi
  IFS= read -r haft_word <&{words} || break
  while [ "$haft_lines" -gt 1 ]; do
    IFS= read -r haft_line <&{words} || break 2
    haft_word="$haft_word
$haft_line"
    haft_lines=$((haft_lines - 1))
  done
  [ "\${#haft_word}" = "$haft_length" ] || break
  set -- "$@" "$haft_word"
done
echo "${handshakeFailed}" >&2
exit 125
`

/** How to prewarm a sandbox like that of this command, where that is allowed. */
export function prewarmPlan(parts: SandboxParts, view: readonly Mount[], plan: LaunchPlanner): PrewarmPlan | undefined {
  if (!mayBePrewarmed(parts) || view.length > maxMounts) return undefined
  const { request, host } = parts
  let planned: PlannedLaunch | undefined
  const waiting = () => {
    // Which descriptors a sandbox needs does not depend on what runs behind it.
    const words = 3 + plan([], { waits: true }).wrapped.descriptors.indexOf("handshake")
    planned ??= plan(handshakeArgv(words), { waits: true })
    return planned
  }
  return {
    host,
    rules: request.rulesKey,
    key(program) {
      const { wrapped, environment } = waiting()
      // Each start has a tag of its own.
      const { [tagName]: _, ...variables } = environment
      return JSON.stringify([program, wrapped, Object.entries(variables).sort()])
    },
    stamp: () => stampView(view, request.directory),
    launch: () => waiting().launch(),
  }
}

// Each is compared when the prewarmed sandbox is taken; with more of them that costs as much as it saves.
const maxMounts = 200

/**
 * Only where nothing of the workspace can be written. A writable sandbox has placeholders for absent protected paths,
 * which a person would find in the workspace as long as it waits. A way to the network belongs to one call and its grant.
 */
function mayBePrewarmed({ request, chosen, network, roots }: SandboxParts): boolean {
  return (
    chosen.backend.level === "namespaces" &&
    request.rulesKey !== undefined &&
    network === undefined &&
    roots.every(({ writable }) => !writable)
  )
}

/**
 * Which files and folders of the host a view is made of at this moment, and what is mounted there. A sandbox that was
 * built when the stamp was the same shows and covers what one that is built now would: the kernel ties a mount to the
 * file below it, not to the name.
 */
function stampView(mounts: readonly Mount[], directory: string): string {
  const sources = new Set(mounts.flatMap((mount) => ("source" in mount ? [mount.source] : [])))
  const paths = new Set([directory, ...mounts.map(({ target }) => target), ...sources])
  return [...[...paths].map(stampOf), ...mountsAround([...sources])].join("\n")
}

/** What is mounted on a source, above it or below it; whatever is mounted elsewhere is not shown. */
function mountsAround(sources: readonly string[]): readonly string[] {
  return readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .filter((line) => {
      const place = plainText(line.split(" ", 5)[4] ?? "/")
      return sources.some((source) => isInside(source, place) || isInside(place, source))
    })
}

function stampOf(path: string): string {
  const facts = factsOf(() => lstatSync(path, { bigint: true, throwIfNoEntry: false }))
  if (!facts) return "none"
  if (!facts.isSymbolicLink()) return inWords(facts)
  const end = factsOf(() => statSync(path, { bigint: true, throwIfNoEntry: false }))
  return `${inWords(facts)} ${end ? inWords(end) : "none"}`
}

/**
 * Numbers of files are given again, times of birth are not. A file can also go and come back as itself under another
 * hard link, and is without its cover then: that changes its other time. A folder has no second link, and this time of
 * it changes with every entry.
 */
function inWords(facts: BigIntStats): string {
  const which = `${facts.dev}:${facts.ino}:${facts.birthtimeNs}:${facts.mode}`
  return facts.isDirectory() ? which : `${which}:${facts.ctimeNs}`
}

/** What this user cannot look at counts as missing. */
function factsOf(look: () => BigIntStats | undefined): BigIntStats | undefined {
  return bestEffort("a path that this user cannot look at counts as missing", look)
}
