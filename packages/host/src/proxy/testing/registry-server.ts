import { once } from "node:events"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { createSandboxAuthority } from "../registry/sandbox-authority.js"
import { npmFiles, type RegistryFiles } from "./package-files.js"

/** One request as the registry saw it. */
export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly authorization: string | undefined
}

/** A registry over TLS that serves files, and only to who proves to know the secret. */
export interface RegistryServer {
  readonly port: number
  /** The authority that its certificate is from, PEM. */
  readonly authority: string
  readonly seen: SeenRequest[]
  close(): void
}

/** Starts a registry for `localhost`, by default one of npm; `/npm/away` redirects to another host. */
export async function startRegistry(
  authorization: string,
  filesOf: (origin: string) => RegistryFiles = npmFiles,
): Promise<RegistryServer> {
  const authority = createSandboxAuthority()
  const seen: SeenRequest[] = []
  const identity = authority.identityOf("localhost")
  const server = createServer({ SNICallback: (_name, done) => done(null, identity) }, (request, response) => {
    const { method = "", url = "", headers } = request
    seen.push({ method, path: url, authorization: headers.authorization })
    request.resume()
    if (headers.authorization !== authorization) return void response.writeHead(401).end("who are you?")
    if (url === "/npm/away") return void response.writeHead(302, { location: "https://other.example/" }).end()
    const file = files[url]
    if (file === undefined) return void response.writeHead(404).end("nothing here")
    // pip tells a page from other answers by this.
    response.writeHead(200, typeof file === "string" && file.startsWith("<") ? { "content-type": "text/html" } : {})
    response.end(file)
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  const { port } = server.address() as AddressInfo
  const files = filesOf(`https://localhost:${port}`)
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { port, authority: authority.certificate, seen, close }
}
