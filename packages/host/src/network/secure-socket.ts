import { isIP, type Socket } from "node:net"
import { connect, rootCertificates, type TLSSocket } from "node:tls"

/** Speaks TLS on a connection; whoever answers must prove to be the host. */
export function secureSocket(socket: Socket, host: string, authorities: readonly string[] = []): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const secure = connect({
      socket,
      host,
      // An address is no server name; the certificate is compared with `host` then.
      ...(isIP(host) === 0 && { servername: host }),
      ALPNProtocols: ["http/1.1"],
      // Said here, so that no variable of the environment can turn it off.
      rejectUnauthorized: true,
      ...(authorities.length > 0 && { ca: [...rootCertificates, ...authorities] }),
    })
    secure.once("secureConnect", () => resolve(secure))
    // Both stay: an error later is told to whoever uses the connection, and must not end the process.
    secure.on("error", reject)
    secure.on("close", () => reject(Object.assign(new Error("Closed during the handshake"), { code: "ECONNRESET" })))
  })
}
