import type { ChildProcess } from "node:child_process"
import type { Readable } from "node:stream"

/** How a shell inside the wall runs a command and tells what it leaves. */
export interface LeftBehindOptions {
  /** Where the number is told; one digit, because a plain shell knows no other descriptors. */
  readonly descriptor: number
  /** What the child does before it becomes the command, ending in a line break. */
  readonly first?: string
  /** How many processes of the wall itself, besides the first and this shell, run beside the command. */
  readonly company: number
}

/**
 * Text for a shell that runs its arguments and tells how many processes are left when they have ended, however they
 * ended. With the shell the whole wall ends, and with it all that is left: afterwards nobody could tell any more. The
 * first process and the shell do not count, nor do dead ones that nobody has collected. Only built-in words, so that
 * nothing is started for it; no single quotes, so that it can stand between two of them. The shell's own standard error
 * is closed: it would say "Killed" and the like, which the command did not say.
 */
export function tellLeftBehind({ descriptor, first = "", company }: LeftBehindOptions): string {
  return `exec 8>&2 2>&-
(${first}exec "$@" 2>&8 8>&- ${descriptor}>&-)
code=$? left=-${company}
for one in /proc/[0-9]*/stat; do
  case $one in /proc/1/stat | /proc/$$/stat) continue ;; esac
  read -r facts < "$one" || continue
  case \${facts##*) } in [ZX]*) ;; *) left=$((left + 1)) ;; esac
done
[ "$left" -le 0 ] || echo "$left" >&${descriptor}
exit "$code"`
}

const maxDigits = 9

/** Said before the number by a shell that had to start the relay first: the command cannot say it, nor unsay it. */
export const relayStarted = "relay\n"

/** Said in place of all else where a mount is not where it belongs; nothing was run then. */
export const moved = "moved\n"

/** What is told on the descriptor. */
export interface Told {
  /** Whether the wall was found to show something else than it should. */
  isMoved(): boolean
  /** Zero when nothing was told. */
  readonly leftBehind: Promise<number>
  /** Whether the relay was said to stand, until now. */
  relayStands(): boolean
}

/** Listens at the descriptor. Whatever else comes over it is thrown away. */
export function listenInside(child: ChildProcess, descriptor: number): Told {
  const stream = child.stdio[descriptor as 3] as unknown as Readable
  let told = ""
  const leftBehind = new Promise<number>((resolve) => {
    stream.on("data", (chunk: Buffer) => {
      told += chunk.toString("latin1")
      if (told.length > relayStarted.length + maxDigits + 1) stream.destroy()
    })
    stream.on("error", () => undefined)
    stream.once("close", () => resolve(Number(/^(?:relay\n)?(\d{1,9})\n$/.exec(told)?.[1] ?? 0)))
  })
  return { leftBehind, isMoved: () => told === moved, relayStands: () => told.startsWith(relayStarted) }
}
