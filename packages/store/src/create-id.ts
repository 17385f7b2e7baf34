import { randomBytes } from "node:crypto"

/** What an id names: a session, a message, a part, a call, a turn. */
export type IdPrefix = "ses" | "msg" | "prt" | "call" | "turn"

/**
 * Makes an id: prefix, 12 hex digits (milliseconds x 4096 + counter), 14 random base62 characters.
 * Within a process every id sorts after the one before, also when the clock steps back.
 */
export function createId(prefix: IdPrefix, now: number = Date.now()): string {
  const time = Math.floor(now) * stepsPerMillisecond
  last = Math.max(time, last + 1)
  // 48 bits hold 2.18 years of these steps and then start again; so queries order by time first and by id second.
  const high = Math.floor(last / 2 ** 24)
  if (high !== lastHigh) {
    lastHigh = high
    lastHighDigits = hex24(high)
  }
  return `${prefix}_${lastHighDigits}${hex24(last)}${randomCharacters(14)}`
}

/** The lowest 24 bits in six digits. Twice this is many times quicker than twelve digits of a number that no integer holds. */
function hex24(value: number): string {
  return ((value % 2 ** 24) + 2 ** 24).toString(16).slice(1)
}

const stepsPerMillisecond = 4096
// One counter for the whole process is what makes the order hold between all its sessions.
let last = 0
// The upper half stays the same for seconds.
let lastHigh = -1
let lastHighDigits = ""

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
// Characters for the next ids: made many at a time, each used once.
let pool = ""
let used = 0

function randomCharacters(count: number): string {
  while (pool.length - used < count) {
    pool = pool.slice(used) + manyCharacters()
    used = 0
  }
  used += count
  return pool.slice(used - count, used)
}

function manyCharacters(): string {
  let characters = ""
  for (const byte of randomBytes(1024)) {
    // 248 is the largest multiple of 62 in a byte: what is above would favour the first characters.
    if (byte < 248) characters += alphabet[byte % 62]
  }
  return characters
}
