import { once } from "node:events"
import type { Duplex } from "node:stream"

/** What a SOCKS5 client wants to reach. */
export interface SocksRequest {
  readonly host: string
  readonly port: number
}

/** The answers of RFC 1928 that are used here. */
export const socksReply = { granted: 0, failed: 1, refused: 2, unsupported: 7, addressUnsupported: 8 } as const

/** Reads the greeting and the request of a SOCKS5 client; undefined when it is none, or asks for something else. */
export async function readSocksRequest(client: Duplex): Promise<SocksRequest | undefined> {
  const greeting = await take(client, 2)
  const methods = await take(client, greeting[1]!)
  if (!methods.includes(0)) return void client.end(Buffer.from([5, 0xff]))
  client.write(Buffer.from([5, 0]))
  const [version, command, , kind] = await take(client, 4)
  if (version !== 5 || command !== 1) return void endSocks(client, socksReply.unsupported)
  const host = await readHost(client, kind!)
  if (host === undefined) return void endSocks(client, socksReply.addressUnsupported)
  return { host, port: (await take(client, 2)).readUInt16BE(0) }
}

/** Tells the client how its request ended. */
export function answerSocks(client: Duplex, reply: number): void {
  client.write(Buffer.from([5, reply, 0, 1, 0, 0, 0, 0, 0, 0]))
}

/** Tells the client that it gets nothing, and closes. */
export function endSocks(client: Duplex, reply: number): void {
  answerSocks(client, reply)
  client.end()
}

async function readHost(client: Duplex, kind: number): Promise<string | undefined> {
  if (kind === 1) return (await take(client, 4)).join(".")
  if (kind === 3) return (await take(client, (await take(client, 1))[0]!)).toString("latin1")
  if (kind !== 4) return undefined
  const bytes = await take(client, 16)
  return Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16)).join(":")
}

/** Exactly so many bytes; throws when the client ends before. */
async function take(client: Duplex, length: number): Promise<Buffer> {
  if (length === 0) return Buffer.alloc(0)
  for (;;) {
    const bytes: Buffer | null = client.read(length)
    if (bytes !== null && bytes.length === length) return bytes
    if (bytes !== null || client.readableEnded || client.destroyed) throw new Error("The client ended too early")
    await Promise.race([once(client, "readable"), once(client, "end"), once(client, "close")])
  }
}
