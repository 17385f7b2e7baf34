import type { ChildProcess } from "node:child_process"
import { constants } from "node:os"
import type { Readable } from "node:stream"
import type { ProcessExit } from "../sandbox.js"

/** How a shell inside the sandbox runs a command and reports how it ended. */
export interface SuperviseOptions {
  /** Where it reports; one digit, because a plain shell knows no other descriptors. */
  readonly descriptor: number
  /** What the child does before it becomes the command, ending in a line break. */
  readonly first?: string
  /** How many processes of the sandbox itself, besides the first and this shell, run beside the command. */
  readonly company: number
}

/**
 * Text for a shell that runs its arguments and reports how they ended and how many processes they left. With the shell the
 * whole sandbox ends, and with it all that is left: afterwards nobody could count it. The first process and the shell
 * do not count, nor do dead ones that nobody has collected. Only built-in words, so that nothing is started for it; no
 * single quotes, so that it can be put between two of them.
 *
 * A shell answers with 128 + n for a child that signal n killed, and the child can exit with that code as well. For the
 * signal alone the shell prints a message ("Killed"), so its own standard error is the descriptor, which the command does
 * not get. No shell prints one for SIGINT and SIGPIPE.
 */
export function superviseCommand({ descriptor, first = "", company }: SuperviseOptions): string {
  const become = becomeCommand(descriptor, "2>&8 8>&-")
  // A subshell of bash is over when its exec failed; a whole shell is asked to go on. In its POSIX mode it prints no message.
  const ofBash = `[ -z "$BASH_VERSION" ] || exec "$BASH" -c ${quoted(become)} sh "$@"`
  return `[ -z "$BASH_VERSION" ] || set +o posix
exec 8>&2 2>&${descriptor}
(${first}${ofBash}
${become})
code=$? left=-${company}
exec 2>&-
for one in /proc/[0-9]*/stat; do
  case $one in /proc/1/stat | /proc/$$/stat) continue ;; esac
  read -r facts < "$one" || continue
  case \${facts##*) } in [ZX]*) ;; *) left=$((left + 1)) ;; esac
done
[ "$left" -le 0 ] || echo "left $left" >&${descriptor}
exit "$code"`
}

/**
 * Text for a shell that becomes its arguments, without the descriptor. Where that fails (exec gives it 126 or 127, which a
 * program can exit with as well) the shell is still there, has the descriptor back from the group and says so on it.
 */
export function becomeCommand(descriptor: number, redirections = ""): string {
  return `[ -z "$BASH_VERSION" ] || shopt -s execfail
trap "echo failed \\$? >&${descriptor}" EXIT
{ exec "$@"; } ${redirections}${redirections && " "}${descriptor}>&-`
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\$`]/g, "\\$&")}"`
}

/** With which code a shell failed to become its arguments, where the report says so: 126 or 127. */
export function failedStart(report: string): number | undefined {
  const code = /^failed (12[67])$/m.exec(report)?.[1]
  return code === undefined ? undefined : Number(code)
}

/** Said before all else by a shell that had to start the relay first: the command cannot say it, nor unsay it. */
export const relayStarted = "relay\n"

/** Said in place of all else where a mount is not where it belongs; nothing was run then. */
export const moved = "moved\n"

/** What was reported on the descriptor until now. */
export interface Report {
  /** Settles when the shell and its sandbox are gone. */
  readonly complete: Promise<void>
  /** Whether the sandbox was found to show something else than it should. */
  isMoved(): boolean
  /** Whether the relay was said to be there. */
  relayRuns(): boolean
  /** How many processes the command left; zero when nothing was said. */
  orphans(): number
  /** With which code the program could not be started. */
  failedStart(): number | undefined
  /** What the end of the shell says about the end of the command. */
  endOf(exit: ProcessExit): ProcessExit
}

// Bash shows the text that it ran when it says how that was ended.
const maxReport = 8192

/** Listens at the descriptor. */
export function listenInside(child: ChildProcess, descriptor: number): Report {
  const stream = child.stdio[descriptor as 3] as unknown as Readable
  let said = ""
  const complete = new Promise<void>((resolve) => {
    stream.on("data", (chunk: Buffer) => {
      said += chunk.toString("latin1")
      if (said.length > maxReport) stream.destroy()
    })
    // Its close is what counts.
    stream.on("error", () => undefined)
    stream.once("close", resolve)
  })
  return {
    complete,
    isMoved: () => said === moved,
    relayRuns: () => said.startsWith(relayStarted),
    orphans: () => Number(/^left (\d{1,9})$/m.exec(said)?.[1] ?? 0),
    failedStart: () => failedStart(said),
    endOf: (exit) => (hasMessage(said) ? bySignal(exit) : exit),
  }
}

function hasMessage(said: string): boolean {
  return said.split("\n").some((line) => line !== "" && !/^(relay|left \d+|failed \d+)$/.test(line))
}

function bySignal(exit: ProcessExit): ProcessExit {
  const number = (exit.exitCode ?? 0) - 128
  if (number <= 0) return exit
  const name = Object.entries(constants.signals).find(([, value]) => value === number)?.[0]
  return { exitCode: null, signal: name ?? `SIG${number}` }
}
