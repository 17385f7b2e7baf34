import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { once } from "node:events"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createWallAuthority } from "../registry/wall-authority.js"

/** One request as the registry saw it. */
export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly authorization: string | undefined
}

/** A registry over TLS that serves one npm package, and only to who proves to know the secret. */
export interface RegistryServer {
  readonly port: number
  /** The authority that its certificate is from, PEM. */
  readonly authority: string
  readonly seen: SeenRequest[]
  close(): void
}

/** Starts a registry for `localhost`, below `/npm/`; `/npm/away` leads to another host. */
export async function startRegistry(authorization: string): Promise<RegistryServer> {
  const authority = createWallAuthority()
  const archive = packageArchive()
  const seen: SeenRequest[] = []
  const identity = authority.identityOf("localhost")
  const server = createServer({ SNICallback: (_name, done) => done(null, identity) }, (request, response) => {
    const { method = "", url = "", headers } = request
    seen.push({ method, path: url, authorization: headers.authorization })
    request.resume()
    if (headers.authorization !== authorization) return void response.writeHead(401).end("who are you?")
    if (url === "/npm/away") return void response.writeHead(302, { location: "https://other.example/" }).end()
    if (url === "/npm/part") return void response.end(JSON.stringify(document(port, archive)))
    if (url === "/npm/part/-/part-1.0.0.tgz") return void response.end(archive)
    response.writeHead(404).end("nothing here")
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { port, authority: authority.certificate, seen, close }
}

function document(port: number, archive: Buffer): object {
  const dist = {
    tarball: `https://localhost:${port}/npm/part/-/part-1.0.0.tgz`,
    integrity: `sha512-${createHash("sha512").update(archive).digest("base64")}`,
  }
  const version = { name: "part", version: "1.0.0", main: "index.js", dist }
  return { name: "part", "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": version } }
}

function packageArchive(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "haft-package-"))
  try {
    mkdirSync(join(folder, "package"))
    writeFileSync(join(folder, "package/package.json"), JSON.stringify({ name: "part", version: "1.0.0" }))
    writeFileSync(join(folder, "package/index.js"), "module.exports = 42")
    return execFileSync("tar", ["-cz", "package"], { cwd: folder })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
