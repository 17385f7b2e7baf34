import { connect, type Socket } from "node:net"
import { readBytes } from "../../proxy/byte-reader.js"

/** A proxy for CONNECT and absolute addresses that notes what it is asked for; every name resolves to this machine. */
export async function serveHttpProxy(client: Socket, asked: string[]): Promise<void> {
  const reader = readBytes(client)
  let head = ""
  while (!head.endsWith("\r\n\r\n")) head += (await reader.take(1)).toString("latin1")
  const [method, place] = head.split(" ") as [string, string]
  const url = new URL(method === "CONNECT" ? `http://${place}` : place)
  const token = /^proxy-authorization: Basic (.*)\r$/im.exec(head)?.[1]
  const user = token === undefined ? "" : ` as ${Buffer.from(token, "base64")}`
  asked.push(`${url.host}${user}`)
  if (url.hostname === "refused.example") return void client.end("HTTP/1.1 407 No\r\ncontent-length: 0\r\n\r\n")
  const server = connect(Number(url.port), "127.0.0.1")
  if (method === "CONNECT") client.write("HTTP/1.1 200 Connection established\r\n\r\n")
  // One request a connection, so that each is seen.
  else server.write(head.replace(place, url.pathname).replace(/^connection:.*$/im, "connection: close"))
  reader.giveBack()
  join(client, server)
}

/** The same for SOCKS5. */
export async function serveSocksProxy(client: Socket, asked: string[]): Promise<void> {
  const reader = readBytes(client)
  const [, count] = await reader.take(2)
  const wantsLogin = (await reader.take(count!)).includes(2)
  client.write(Buffer.from([5, wantsLogin ? 2 : 0]))
  let user = ""
  if (wantsLogin) {
    const name = await reader.take((await reader.take(2))[1]!)
    const password = await reader.take((await reader.take(1))[0]!)
    user = ` as ${name}:${password}`
    if (`${password}` !== "p@ss") return void client.end(Buffer.from([1, 1]))
    client.write(Buffer.from([1, 0]))
  }
  const [, , , kind] = await reader.take(4)
  if (kind !== 3) return void client.end(Buffer.from([5, 8, 0, 1, 0, 0, 0, 0, 0, 0]))
  const host = (await reader.take((await reader.take(1))[0]!)).toString()
  const port = (await reader.take(2)).readUInt16BE(0)
  asked.push(`${host}:${port}${user}`)
  client.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 80]))
  reader.giveBack()
  join(client, connect(port, "127.0.0.1"))
}

function join(one: Socket, two: Socket): void {
  for (const [from, to] of [
    [one, two],
    [two, one],
  ] as const) {
    from.on("error", () => to.destroy())
    from.once("close", () => to.destroy())
    from.pipe(to)
  }
}
