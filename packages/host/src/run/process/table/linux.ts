import { existsSync, openSync, readdirSync, readFileSync, readSync } from "node:fs"
import { bestEffort } from "@haft/contract"
import { type ProcessIdentity, statFields } from "../../../lock/process-identity.js"
import type { ProcessTable, TaggedTree } from "./process-table.js"

/** Processes as the kernel lists them below /proc. */
export const linuxTable: ProcessTable = {
  descendants(root) {
    const found: ProcessIdentity[] = []
    const queue = [root]
    for (let pid = queue.pop(); pid !== undefined; pid = queue.pop()) {
      const facts = factsOf(pid)
      if (!facts) continue
      if (facts.alive) found.push(facts)
      queue.push(...childrenOf(pid))
    }
    return found
  },
  tagged(tag) {
    const found: ProcessIdentity[] = []
    for (const pid of candidates(tag)) {
      const facts = factsOf(pid)
      if (!facts?.alive || pid === process.pid) continue
      const isOwn = facts.session === tag.root || facts.group === tag.root || carries(pid, tag.variable)
      if (isOwn && isProcess(pid)) found.push(facts)
    }
    return found
  },
  isAlive({ pid, startedAt }) {
    const facts = factsOf(pid)
    return facts?.alive === true && facts.startedAt === startedAt
  },
  isStopped: (pid) => /\) [Tt] [^)]*$/.test(readProc(`${pid}/stat`) ?? ""),
  innerNumber(pid) {
    const numbers = /^NSpid:\t(.*)$/m.exec(readProc(`${pid}/status`) ?? "")?.[1]?.split("\t")
    return numbers && { pid: Number(numbers.at(-1)), depth: numbers.length - 1 }
  },
  runs(pid, argument) {
    return readProc(`${pid}/cmdline`)?.includes(`\0${Buffer.from(argument).toString("latin1")}\0`) ?? false
  },
}

interface Facts extends ProcessIdentity {
  readonly alive: boolean
  readonly group: number
  readonly session: number
}

function factsOf(pid: number): Facts | undefined {
  const text = readProc(`${pid}/stat`)
  if (!text) return undefined
  const fields = statFields(text)
  const alive = fields[0] !== "Z" && fields[0] !== "X"
  return { pid, alive, group: Number(fields[2]), session: Number(fields[3]), startedAt: fields[19]! }
}

function childrenOf(pid: number): readonly number[] {
  const threads = bestEffort("the process may have ended", () => readdirSync(`/proc/${pid}/task`)) ?? []
  return threads.flatMap((thread) => numbersIn(readProc(`${pid}/task/${thread}/children`) ?? ""))
}

function carries(pid: number, variable: string): boolean {
  const environment = readProc(`${pid}/environ`)
  return environment !== undefined && `\0${environment}`.includes(`\0${variable}\0`)
}

/** Threads have numbers too, and a signal for each of them would reach their process many times. */
function isProcess(pid: number): boolean {
  return /^Tgid:\t(\d+)$/m.exec(readProc(`${pid}/status`) ?? "")?.[1] === String(pid)
}

// Numbers are given out in order, so what a short command started has a number between its own and the newest one.
// After this time they may have gone all the way round.
const orderedMs = 1500
const fewNumbers = 64

function candidates({ root, sinceMs }: TaggedTree): readonly number[] {
  const newest = newestNumber()
  if (!(newest > 0) || performance.now() - sinceMs > orderedMs) return everyNumber()
  if (newest >= root && newest - root <= fewNumbers) {
    return Array.from({ length: newest - root }, (_, index) => root + 1 + index)
  }
  const isNewer =
    newest >= root ? (pid: number) => pid > root && pid <= newest : (pid: number) => pid > root || pid <= newest
  return everyNumber().filter(isNewer)
}

// Held open for good: a kernel file of the machine, read on each end of a command.
let load: number | undefined

/** The number that was given out last, of a process or a thread; not a number where the kernel does not tell. */
function newestNumber(): number {
  return (
    bestEffort("not every kernel has it", () => {
      load ??= openSync("/proc/loadavg", "r")
      return Number(readWhole(load).split(" ").at(-1))
    }) ?? Number.NaN
  )
}

function everyNumber(): readonly number[] {
  return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []))
}

function numbersIn(text: string): readonly number[] {
  return text.split(" ").flatMap((word) => (word === "" ? [] : [Number(word)]))
}

/** A process may end between any two looks: what is gone reads as undefined. */
function readProc(name: string): string | undefined {
  // Most are gone when they are looked for, and asking first is much cheaper than an exception.
  if (!existsSync(`/proc/${name}`)) return undefined
  return bestEffort("the process may have ended", () => readFileSync(`/proc/${name}`, "latin1"))
}

const buffer = Buffer.allocUnsafeSlow(16 * 1024)

/** The text of a kernel file that is held open, from its beginning: one question instead of four. */
export function readWhole(descriptor: number): string {
  let text = ""
  for (let place = 0; ; ) {
    const count = readSync(descriptor, buffer, 0, buffer.length, place)
    if (count === 0) return text
    text += buffer.toString("latin1", 0, count)
    place += count
  }
}
