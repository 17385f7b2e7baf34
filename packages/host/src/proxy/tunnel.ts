import { isIP } from "node:net"
import type { Duplex } from "node:stream"
import { maxHello, readClientHello } from "./client-hello.js"
import { hostName } from "../address/host-name.js"

/** What becomes of a tunnel: a reason when it was refused. */
export type TunnelEnd = (reason: string) => void

/**
 * Joins a client and the server it asked for. A TLS client must ask that server for the same name: otherwise a large host
 * that serves many names would let it reach all of them.
 */
export function tunnel(client: Duplex, server: Duplex, options: { host: string; onRefused: TunnelEnd }): void {
  let held = Buffer.alloc(0)
  const stop = () => {
    client.destroy()
    server.destroy()
  }
  client.on("error", stop)
  server.on("error", stop)
  client.on("close", () => {
    // After a proper end the pipe has ended the server too, which may still have something to send out.
    if (!client.readableEnded) server.destroy()
  })
  server.on("close", () => client.destroy())
  server.pipe(client)

  const join = () => {
    client.off("data", look)
    client.off("end", join)
    server.write(held)
    client.pipe(server)
  }
  const look = (chunk: Buffer) => {
    held = Buffer.concat([held, chunk])
    const greeting = readClientHello(held)
    if (greeting.kind === "incomplete" && held.length <= maxHello) return
    if (greeting.kind === "hello" && !isFor(greeting.name, options.host)) {
      options.onRefused(`the TLS client asks for ${greeting.name ?? "no name"} instead of ${options.host}`)
      return stop()
    }
    join()
  }
  // The client may have said all it had to say while its destination was being judged.
  if (client.readableEnded) return void server.end()
  client.on("data", look)
  client.once("end", join)
  // Whoever read the request has stopped the client.
  client.resume()
}

/** An address has no name to ask for; clients then send none, or the address. */
function isFor(name: string | undefined, host: string): boolean {
  if (name === undefined) return isIP(host) !== 0
  return hostName(name) === host
}
