import type { Duplex } from "node:stream"
import { type ByteReader, readBytes } from "./byte-reader.js"

/** What a SOCKS5 client wants to reach. */
interface SocksRequest {
  readonly host: string
  readonly port: number
}

/** The answers of RFC 1928 that are used here. */
export const socksReply = { granted: 0, failed: 1, refused: 2, unsupported: 7, addressUnsupported: 8 } as const

/** Reads the greeting and the request of a SOCKS5 client; undefined when it is none, or asks for something else. */
export async function readSocksRequest(client: Duplex): Promise<SocksRequest | undefined> {
  const reader = readBytes(client)
  try {
    return await readRequest(client, reader)
  } finally {
    reader.giveBack()
  }
}

async function readRequest(client: Duplex, reader: ByteReader): Promise<SocksRequest | undefined> {
  const greeting = await reader.take(2)
  const methods = await reader.take(greeting[1]!)
  if (!methods.includes(0)) return void client.end(Buffer.from([5, 0xff]))
  client.write(Buffer.from([5, 0]))
  const [version, command, , kind] = await reader.take(4)
  if (version !== 5 || command !== 1) return void endSocks(client, socksReply.unsupported)
  const host = await readHost(reader, kind!)
  if (host === undefined) return void endSocks(client, socksReply.addressUnsupported)
  return { host, port: (await reader.take(2)).readUInt16BE(0) }
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

async function readHost(reader: ByteReader, kind: number): Promise<string | undefined> {
  if (kind === 1) return (await reader.take(4)).join(".")
  if (kind === 3) return (await reader.take((await reader.take(1))[0]!)).toString("latin1")
  if (kind !== 4) return undefined
  const bytes = await reader.take(16)
  return Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16)).join(":")
}
