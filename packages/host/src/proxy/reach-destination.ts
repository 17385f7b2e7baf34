import type { Socket } from "node:net"
import { dial } from "../address/dial.js"
import { openHttpTunnel, openSocksTunnel } from "../network/upstream-tunnels.js"
import type { Carriage, Judgement } from "./judge-destination.js"

/** How a judged destination is connected with. */
export interface ReachOptions {
  readonly signal: AbortSignal
  readonly carriage: Carriage
  /** Whether the connection stays open for writing when the other side ends. */
  readonly allowHalfOpen?: boolean
}

/** Connects with a judged destination; through the user's proxy where one leads there, by its name. */
export async function reachDestination(judgement: Judgement, options: ReachOptions): Promise<Socket> {
  const { proxy, addresses, port } = judgement
  const { signal, carriage, allowHalfOpen = false } = options
  const socket = await dial(addresses, proxy?.port ?? port, { signal, allowHalfOpen })
  // An HTTP proxy takes plain requests as they are.
  if (!proxy || (proxy.kind === "http" && carriage === "request")) return socket
  const open = proxy.kind === "socks5" ? openSocksTunnel : openHttpTunnel
  await inTime(socket, signal, () => open(socket, judgement, proxy))
  return socket
}

/** Hangs up when what is said at the beginning of a connection takes too long. */
export async function inTime<Result>(
  socket: Socket,
  signal: AbortSignal,
  greet: () => Promise<Result>,
): Promise<Result> {
  const hangUp = () => socket.destroy()
  const patience = setTimeout(hangUp, greetingMs)
  signal.addEventListener("abort", hangUp)
  try {
    return await greet()
  } catch (error) {
    hangUp()
    throw error
  } finally {
    clearTimeout(patience)
    signal.removeEventListener("abort", hangUp)
  }
}

const greetingMs = 15_000
