import { openSync, readdirSync, readFileSync } from "node:fs"

/** Entries of `stdio` as a start takes them. */
export type StdioEntry = "ignore" | "pipe" | number

// State of the process: descriptors are its own, whichever session starts something.
const withheld = new Set<number>()
let emptiness: number | undefined

/**
 * Keeps a descriptor from all that is started from now on. Whoever opens one that the kernel hands on must call this: a
 * command could type into the terminal of another, or walk out of its sandbox through an open folder.
 */
export function withhold(descriptor: number): void {
  withheld.add(descriptor)
}

/**
 * The same entries, with nothing in the place of every descriptor that the process would get without being given it:
 * those that were withheld, and those that Haft itself got so from whoever started it. A number that means something
 * else by now does no harm: the process was not to have that either.
 */
export function withoutStrangers(stdio: readonly StdioEntry[]): StdioEntry[] {
  if (process.platform !== "linux") return [...stdio]
  if (emptiness === undefined) {
    emptiness = openSync("/dev/null", "r+")
    for (const descriptor of handedOn()) withheld.add(descriptor)
  }
  const entries = [...stdio]
  for (const descriptor of withheld) {
    while (entries.length <= descriptor) entries.push("ignore")
    if (descriptor >= 3 && entries[descriptor] === "ignore") entries[descriptor] = emptiness
  }
  return entries
}

const closedOnExec = 0o2000000

/** Descriptors of this process that the kernel hands on. */
function handedOn(): readonly number[] {
  return readdirSync("/proc/self/fd")
    .map(Number)
    .filter((descriptor) => descriptor >= 3 && isHandedOn(descriptor))
}

function isHandedOn(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "latin1"))?.[1] ?? "0"
    return (Number.parseInt(flags, 8) & closedOnExec) === 0
  } catch {
    // It was the one that the list was read with.
    return false
  }
}
