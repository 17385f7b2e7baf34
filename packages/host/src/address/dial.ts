import { connect, isIP, type Socket } from "node:net"

/** How addresses are dialled. */
export interface DialOptions {
  readonly signal: AbortSignal
  /** For all addresses together; 15 seconds by default. */
  readonly timeoutMs?: number
  /** Whether the connection stays open for writing when the other side ends. */
  readonly allowHalfOpen?: boolean
}

/** Connects to the first of the addresses that answers; the next one gets its turn after a failure or a short wait. */
export function dial(addresses: readonly string[], port: number, options: DialOptions): Promise<Socket> {
  const { signal, timeoutMs = 15_000, allowHalfOpen = false } = options
  return new Promise((resolve, reject) => {
    const waiting = [...addresses]
    const trying = new Set<Socket>()
    let failure: unknown
    let turn: NodeJS.Timeout | undefined
    const patience = setTimeout(() => finish(timedOut(addresses, port)), Math.min(timeoutMs, 2 ** 31 - 1))
    const onAbort = () => finish(signal.reason)
    signal.addEventListener("abort", onAbort)
    if (signal.aborted) onAbort()
    else tryNext()

    function tryNext(): void {
      clearTimeout(turn)
      const host = waiting.shift()
      if (host === undefined) {
        if (trying.size === 0) finish(failure ?? new Error("There is no address to dial"))
        return
      }
      // An address and never a name: what was judged is what is dialled.
      if (isIP(host) === 0) return void finish(new TypeError(`"${host}" is no address`))
      const socket = connect({ host, port, allowHalfOpen, noDelay: true })
      trying.add(socket)
      socket.on("error", (error) => {
        // The listener stays on a connection that was made, where others hear of the failure themselves.
        if (!trying.delete(socket)) return
        failure ??= error
        tryNext()
      })
      socket.once("connect", () => finish(undefined, socket))
      turn = setTimeout(tryNext, turnMs)
    }

    function finish(error: unknown, winner?: Socket): void {
      clearTimeout(turn)
      clearTimeout(patience)
      signal.removeEventListener("abort", onAbort)
      const open = [...trying]
      trying.clear()
      for (const socket of open) if (socket !== winner) socket.destroy()
      if (winner) resolve(winner)
      else reject(error)
    }
  })
}

/** How long an address may be silent before the next one is tried beside it (RFC 8305). */
const turnMs = 250

function timedOut(addresses: readonly string[], port: number): Error {
  return Object.assign(new Error(`${addresses.join(", ")} port ${port} does not answer`), { code: "ETIMEDOUT" })
}
