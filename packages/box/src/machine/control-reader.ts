import type { Machine } from "./start-machine.js"

/** What the guest says on the control port. */
export type ControlMessage =
  | { readonly type: "ready" }
  | { readonly type: "started" }
  | { readonly type: "exit"; readonly code: number }
  | { readonly type: "failed"; readonly step: string }
  /** Something that the guest's own script never says. Nothing is read afterwards. */
  | { readonly type: "violation"; readonly reason: string }

/** Reads the control port of one machine. */
export interface ControlReader {
  /** The messages that these bytes complete, in order. */
  push(bytes: Uint8Array): readonly ControlMessage[]
  /** From now on only lines with this nonce count. */
  go(nonce: string): void
}

type State = "booting" | "waiting" | "sent" | "started" | "over"

// The longest line of the script is far shorter.
const longestLine = 200

/**
 * A reader that takes each line once, in its order, and with the nonce of the run: READY, then after `go` STARTED, then
 * EXIT. A restored machine has said READY before its snapshot.
 */
export function createControlReader({ restored }: { readonly restored: boolean }): ControlReader {
  let state: State = restored ? "waiting" : "booting"
  let nonce: string | undefined
  let rest = ""

  const violation = (reason: string): ControlMessage => {
    state = "over"
    return { type: "violation", reason }
  }
  const readLine = (line: string): ControlMessage => {
    if (state === "booting") {
      if (line !== "READY") return violation("it did not begin with READY")
      state = "waiting"
      return { type: "ready" }
    }
    const match = /^(STARTED|EXIT|FAILED) ([0-9a-f]{32})(?: ([0-9a-z]{1,20}))?$/.exec(line)
    const [, word, given, value] = match ?? []
    if (nonce === undefined || state === "waiting") return violation("it spoke before it was asked")
    if (given !== nonce) return violation("a line does not carry the nonce of this run")
    if (word === "STARTED" && state === "sent" && value === undefined) {
      state = "started"
      return { type: "started" }
    }
    if (word === "FAILED" && state === "sent" && value !== undefined) {
      state = "over"
      return { type: "failed", step: value }
    }
    const code = word === "EXIT" && /^\d{1,3}$/.test(value ?? "") ? Number(value) : Number.NaN
    if (state !== "started" || !(code <= 255)) return violation("a line came out of order")
    state = "over"
    return { type: "exit", code }
  }

  return {
    go(value) {
      nonce = value
      state = "sent"
    },
    push(bytes) {
      const messages: ControlMessage[] = []
      if (state === "over") return messages
      rest += Buffer.from(bytes).toString("latin1")
      while (state !== ("over" as State)) {
        const end = rest.indexOf("\n")
        if (end > longestLine || (end === -1 && rest.length > longestLine)) {
          messages.push(violation("a line is too long"))
        } else if (end === -1) break
        else {
          messages.push(readLine(rest.slice(0, end)))
          rest = rest.slice(end + 1)
        }
      }
      return messages
    },
  }
}

/** How long a machine is waited for. */
export interface ReadyOptions {
  readonly deadlineMs: number
  /** Ends the wait, not the machine. */
  readonly signal?: AbortSignal
}

/** Waits until the guest of a booting machine is ready; the result is why it did not become so, or undefined. */
export async function waitReady(machine: Machine, { deadlineMs, signal }: ReadyOptions): Promise<string | undefined> {
  const reader = createControlReader({ restored: false })
  let timer: NodeJS.Timeout | undefined
  let giveUp: () => void = () => undefined
  try {
    return await new Promise<string | undefined>((resolve) => {
      giveUp = () => resolve("it was given up")
      signal?.addEventListener("abort", giveUp)
      if (signal?.aborted) giveUp()
      timer = setTimeout(() => resolve(`guest did not reach READY in ${deadlineMs} ms`), deadlineMs)
      machine.ended.then(({ words }) => resolve(words.split("\n").at(-1) || "the machine ended while it started"))
      machine.control.on("data", (bytes: Buffer) => {
        const [message] = reader.push(bytes)
        if (message) resolve(message.type === "ready" ? undefined : "the guest broke the protocol")
      })
    })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener("abort", giveUp)
    machine.control.removeAllListeners("data")
  }
}
