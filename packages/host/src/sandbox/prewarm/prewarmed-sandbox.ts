import type { Socket } from "node:net"
import { ToolError } from "@haft/contract"
import { ProcessTree } from "../../run/process/process-tree.js"
import { nextProcessTag, programNotStarted, spawnLaunch } from "../../run/process/spawn.js"
import { programEnd } from "../../run/process/start-process.js"
import type { OwnedLaunch } from "../launch/launch.js"
import { becomeCommand, failedStart } from "../launch/supervising-shell.js"
import type { TakenPrewarmed } from "../sandbox.js"

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
