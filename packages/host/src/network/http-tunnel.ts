import { request as httpRequest } from "node:http"
import type { Socket } from "node:net"
import { destinationText } from "../address/destination-text.js"
import type { ProxyTarget } from "./choose-proxy.js"
import { FetchFailure } from "./fetch-failure.js"
import { limits } from "./limits.js"
import { type ProxyPlace, proxyText } from "./proxy-place.js"

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
