import { connect, type Socket } from "node:net"

const patienceMs = 15_000

/** Connects to the first of the addresses that answers. */
export async function dial(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Socket> {
  let failure: unknown
  for (const host of addresses) {
    try {
      return await dialOne(host, port, signal)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

function dialOne(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    // An address and never a name: what was judged is what is dialled.
    const socket = connect({ host, port, allowHalfOpen: true, signal })
    socket.setTimeout(patienceMs, () => socket.destroy(new Error(`${host} does not answer`)))
    socket.once("error", reject)
    socket.once("connect", () => {
      socket.setTimeout(0)
      socket.off("error", reject)
      resolve(socket)
    })
  })
}
