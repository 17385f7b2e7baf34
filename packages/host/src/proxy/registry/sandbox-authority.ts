import { generateKeyPairSync } from "node:crypto"
import { createSecureContext, type SecureContext } from "node:tls"
import { makeCertificate } from "./certificate.js"

/** An authority that only the commands of one session trust. Its key is never written down and ends with the process. */
export interface SandboxAuthority {
  /** Its own certificate, PEM. */
  readonly certificate: string
  /** What it takes to answer in the place of a host. */
  identityOf(host: string): SecureContext
}

/** Makes an authority with a key of its own. */
export function createSandboxAuthority(now = Date.now()): SandboxAuthority {
  const keys = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const issuer = { subject: "Haft, inside this sandbox only", ...keys }
  // Clocks differ a little; and programs do not trust a certificate for longer than this.
  const span = { from: new Date(now - dayMs), until: new Date(now + 365 * dayMs) }
  const certificate = makeCertificate({ subject: issuer.subject, publicKey: keys.publicKey, issuer, ...span })
  const identities = new Map<string, SecureContext>()

  function identityOf(host: string): SecureContext {
    const known = identities.get(host)
    if (known) return known
    const own = generateKeyPairSync("ec", { namedCurve: "P-256" })
    const cert = makeCertificate({ subject: "Haft", publicKey: own.publicKey, issuer, host, ...span })
    const key = own.privateKey.export({ type: "pkcs8", format: "pem" })
    const identity = createSecureContext({ key, cert: cert + certificate, minVersion: "TLSv1.2" })
    identities.set(host, identity)
    return identity
  }

  return { certificate, identityOf }
}

const dayMs = 86_400_000
