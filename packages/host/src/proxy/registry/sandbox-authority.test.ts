import { execFileSync } from "node:child_process"
import { X509Certificate } from "node:crypto"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { type AddressInfo, isIP } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { checkServerIdentity, connect, createServer, type TLSSocket } from "node:tls"
import { expect, test } from "vitest"
import { isInstalled } from "../../sandbox/testing/installed.js"
import { createSandboxAuthority } from "./sandbox-authority.js"

test("an authority signs hosts and no further authorities, for a year", () => {
  const now = Date.UTC(2031, 11, 31, 23, 59, 58)
  const certificate = new X509Certificate(createSandboxAuthority(now).certificate)
  expect(certificate.ca).toBe(true)
  expect(certificate.verify(certificate.publicKey)).toBe(true)
  expect(new Date(certificate.validFrom).getTime()).toBe(now - 86_400_000)
  expect(new Date(certificate.validTo).getTime()).toBe(now + 365 * 86_400_000)
})

test.each(["localhost", "registry.example.org", `${"long.".repeat(40)}example`, "127.0.0.1", "::1"])(
  "%s is answered for, and nobody else",
  async (host) => {
    const authority = createSandboxAuthority()
    const server = createServer({ SNICallback: (_name, done) => done(null, authority.identityOf(host)) })
    server.on("tlsClientError", () => undefined)
    await once(server.listen(0, "127.0.0.1"), "listening")
    const { port } = server.address() as AddressInfo
    // An address is not sent as a name, and the server above answers to names alone.
    const servername = isIP(host) === 0 ? host : "x.example"
    const dial = (name: string, ca: string) =>
      connect({ host: "127.0.0.1", port, ca, servername, checkServerIdentity: identityFor(name) })
    expect(await outcome(dial(host, authority.certificate))).toBe("trusted")
    expect(await outcome(dial("other.example", authority.certificate))).toContain("ERR_TLS_CERT_ALTNAME_INVALID")
    expect(await outcome(dial(host, createSandboxAuthority().certificate))).toMatch(/SIGNATURE|SELF_SIGNED|UNABLE/)
    server.close()
  },
)

test.skipIf(!isInstalled("openssl"))("openssl finds nothing to object to, also where it is strict", () => {
  const folder = mkdtempSync(join(tmpdir(), "haft-authority-"))
  try {
    writeFileSync(join(folder, "authority.pem"), createSandboxAuthority().certificate)
    const args = ["verify", "-x509_strict", "-CAfile", "authority.pem", "authority.pem"]
    expect(execFileSync("openssl", args, { cwd: folder, encoding: "utf8" })).toContain("OK")
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

function identityFor(name: string) {
  return (_host: string, certificate: Parameters<typeof checkServerIdentity>[1]) =>
    checkServerIdentity(name, certificate)
}

function outcome(socket: TLSSocket): Promise<string> {
  return new Promise((resolve) => {
    socket.once("secureConnect", () => resolve("trusted"))
    socket.once("error", (error: NodeJS.ErrnoException) => resolve(String(error.code)))
  }).finally(() => socket.destroy()) as Promise<string>
}
