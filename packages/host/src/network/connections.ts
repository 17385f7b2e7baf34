import type { JudgedHop } from "./judge-hop.js"
import { limits } from "./limits.js"
import type { Connection } from "./open-connection.js"

/** The connections of a session. */
export interface Connections {
  /** One that waits and leads to an address that was judged for this hop too. */
  take(hop: JudgedHop): Connection | undefined
  /** Lets a connection wait for the next request. */
  keep(hop: JudgedHop, connection: Connection): void
  /** Ends one for good. */
  drop(connection: Connection): void
  close(): Promise<void>
}

/** Makes the place where connections wait between requests. */
export function createConnections(): Connections {
  const idle = new Map<Connection, string>()

  function drop(connection: Connection): void {
    idle.delete(connection)
    connection.client.destroy().catch(() => undefined)
    // The client takes the socket over with the first request only.
    connection.socket.destroy()
  }

  /** The other side and the client itself end connections that wait too long. */
  function forgetEnded(): void {
    for (const connection of idle.keys()) if (connection.socket.destroyed) idle.delete(connection)
  }

  return {
    take(hop) {
      forgetEnded()
      const wanted = keyOf(hop)
      for (const [connection, key] of idle) {
        if (key !== wanted || !hop.addresses.includes(connection.address)) continue
        idle.delete(connection)
        return connection
      }
      return undefined
    },
    keep(hop, connection) {
      idle.set(connection, keyOf(hop))
      forgetEnded()
      const [oldest] = idle.keys()
      if (idle.size > limits.idleConnections && oldest) drop(oldest)
    },
    drop,
    async close() {
      for (const connection of [...idle.keys()]) drop(connection)
    },
  }
}

function keyOf({ target, proxy }: JudgedHop): string {
  return JSON.stringify([target.url.origin, proxy])
}
