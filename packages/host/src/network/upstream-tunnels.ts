import { request as httpRequest } from "node:http"
import { isIP, isIPv4, type Socket } from "node:net"
import { destinationText } from "../address/destination.js"
import { type ByteReader, readBytes } from "../proxy/byte-reader.js"
import { type ProxyPlace, type ProxyTarget, proxyText } from "./choose-proxy.js"
import { FetchFailure } from "./failure.js"
import { limits } from "./limits.js"

/** Asks an HTTP proxy to carry everything that follows on this connection to the target. */
export function openHttpTunnel(
  socket: Socket,
  { host, port }: Pick<ProxyTarget, "host" | "port">,
  proxy: ProxyPlace,
): Promise<void> {
  const authority = destinationText(host, port)
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      method: "CONNECT",
      path: authority,
      headers: { host: authority, "user-agent": "Haft", ...Object.fromEntries(proxyHeaders(proxy)) },
      setHost: false,
      createConnection: () => socket,
      maxHeaderSize: limits.headerBytes,
    })
    request.once("connect", (response, _socket, head: Buffer) => {
      const status = response.statusCode ?? 0
      if (status < 200 || status > 299) return reject(refused(proxy, status))
      if (head.length > 0) socket.unshift(head)
      resolve()
    })
    request.once("response", (response) => reject(refused(proxy, response.statusCode ?? 0)))
    request.once("error", reject)
    request.once("close", () => reject(new FetchFailure("unavailable", `${proxyText(proxy)} closed the connection`)))
    request.end()
  })
}

/** What an HTTP proxy wants to hear beside the request itself. */
export function proxyHeaders({ user }: ProxyPlace): readonly (readonly [string, string])[] {
  if (!user) return []
  const token = Buffer.from(`${user.name}:${user.password}`).toString("base64")
  return [["proxy-authorization", `Basic ${token}`]]
}

function refused(proxy: ProxyPlace, status: number): FetchFailure {
  if (status === 407) {
    const hint = "Put the user name and password into the address of the proxy"
    return new FetchFailure("backend", `the proxy ${proxyText(proxy)} wants a user name and password`, hint)
  }
  return new FetchFailure("backend", `the proxy ${proxyText(proxy)} refused with status ${status}`)
}

/** Asks a SOCKS5 proxy (RFC 1928, 1929) to carry everything that follows on this connection to the target. */
export async function openSocksTunnel(
  socket: Socket,
  target: Pick<ProxyTarget, "host" | "port">,
  proxy: ProxyPlace,
): Promise<void> {
  const reader = readBytes(socket)
  try {
    await greet(socket, reader, proxy)
    socket.write(Buffer.concat([Buffer.from([5, 1, 0]), addressBytes(target.host), portBytes(target.port)]))
    const [version, reply, , kind] = await reader.take(4)
    if (version !== 5) throw noSocks(proxy)
    if (reply !== 0) throw new FetchFailure("unavailable", `${says(proxy)}: ${replies[reply!] ?? `error ${reply}`}`)
    const length = kind === 1 ? 4 : kind === 4 ? 16 : (await reader.take(1))[0]!
    await reader.take(length + 2)
  } catch (error) {
    if (error instanceof FetchFailure) throw error
    throw new FetchFailure("unavailable", `the proxy ${proxyText(proxy)} closed the connection`, "Try again later")
  } finally {
    reader.giveBack()
  }
}

async function greet(socket: Socket, reader: ByteReader, proxy: ProxyPlace): Promise<void> {
  const { user } = proxy
  socket.write(Buffer.from(user ? [5, 2, noLogin, login] : [5, 1, noLogin]))
  const [version, method] = await reader.take(2)
  if (version !== 5) throw noSocks(proxy)
  if (method === noLogin) return
  if (method !== login || !user) {
    const hint = "Put the user name and password into the address of the proxy"
    throw new FetchFailure("backend", `${says(proxy)}: it wants another kind of login`, hint)
  }
  const [name, password] = [Buffer.from(user.name), Buffer.from(user.password)]
  if (name.length > 255 || password.length > 255) {
    throw new FetchFailure("invalid_args", "the user name or password of the proxy is longer than 255 bytes")
  }
  socket.write(Buffer.concat([Buffer.from([1, name.length]), name, Buffer.from([password.length]), password]))
  const [, status] = await reader.take(2)
  if (status !== 0) throw new FetchFailure("backend", `${says(proxy)}: the user name or password is wrong`)
}

const noLogin = 0
const login = 2

const replies: Readonly<Record<number, string>> = {
  1: "it failed",
  2: "its rules do not allow this destination",
  3: "the network is unreachable",
  4: "the host is unreachable",
  5: "the connection was refused",
  6: "it took too long",
  7: "it cannot connect",
  8: "it does not know this kind of address",
}

function says(proxy: ProxyPlace): string {
  return `the proxy ${proxyText(proxy)} refused`
}

function noSocks(proxy: ProxyPlace): FetchFailure {
  return new FetchFailure("backend", `${proxyText(proxy)} is no SOCKS5 proxy`)
}

/** Names go to the proxy as names. */
function addressBytes(host: string): Buffer {
  if (isIPv4(host)) return Buffer.from([1, ...host.split(".").map(Number)])
  if (isIP(host) === 0) return Buffer.concat([Buffer.from([3, host.length]), Buffer.from(host, "latin1")])
  const groups = expandIPv6(host)
  const bytes = Buffer.alloc(17)
  bytes[0] = 4
  for (const [index, group] of groups.entries()) bytes.writeUInt16BE(group, 1 + index * 2)
  return bytes
}

/** The eight groups of an address in the one spelling of `hostName`, which has no IPv4 part. */
function expandIPv6(host: string): readonly number[] {
  const [head = "", tail] = host.split("::")
  const read = (part: string) => (part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16)))
  if (tail === undefined) return read(head)
  const [left, right] = [read(head), read(tail)]
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right]
}

function portBytes(port: number): Buffer {
  return Buffer.from([port >> 8, port & 255])
}
