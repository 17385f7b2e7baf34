import { randomBytes } from "node:crypto"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { rootCertificates } from "node:tls"
import { bestEffort } from "@haft/contract"
import { createSandboxAuthority, type SandboxAuthority } from "./sandbox-authority.js"

/** How a command comes to trust the authority of its sandbox. */
export interface SandboxTrust {
  readonly authority: SandboxAuthority
  /** A list of certificates that commands must be able to read. */
  readonly file: string
  /** Variables that lead programs to it. */
  readonly variables: Readonly<Record<string, string>>
  /** Removes the list. */
  end(): void
}

/** What the list of a sandbox is made from. */
export interface TrustRequest {
  /** Where the list is written. */
  readonly folder: string
  /** Variables of the caller, which may name further lists. */
  readonly variables: NodeJS.ProcessEnv
  /** Further lists. */
  readonly certificates: readonly string[]
}

/** Makes an authority and writes it down behind the certificates that commands trust anyway. */
export function createSandboxTrust({ folder, variables, certificates }: TrustRequest): SandboxTrust {
  const authority = createSandboxAuthority()
  const named = variableNames.flatMap((name) => variables[name] ?? [])
  const usual = [systemCertificates(), ...[...certificates, ...named].map(certificatesIn)].flat()
  const file = join(folder, `certificates-${randomBytes(6).toString("hex")}.pem`)
  writeFileSync(file, [...new Set([...usual, authority.certificate])].join("\n"), { mode: 0o644, flag: "wx" })
  return {
    authority,
    file,
    variables: Object.fromEntries(variableNames.map((name) => [name, file])),
    end: () => rmSync(file, { force: true }),
  }
}

/** Each program knows its own. Most take the list in place of the usual one, so that it must hold all. */
const variableNames = [
  "SSL_CERT_FILE",
  "NODE_EXTRA_CA_CERTS",
  "REQUESTS_CA_BUNDLE",
  "CURL_CA_BUNDLE",
  "GIT_SSL_CAINFO",
  "PIP_CERT",
  "CARGO_HTTP_CAINFO",
  "DENO_CERT",
  "npm_config_cafile",
  "YARN_HTTPS_CA_FILE_PATH",
] as const

/** Where systems keep their list, of which one has one. */
const systemFiles = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/ca-bundle.pem",
  "/etc/ssl/cert.pem",
]

function systemCertificates(): readonly string[] {
  return systemFiles.map(certificatesIn).find((found) => found.length > 0) ?? rootCertificates
}

/** Certificates alone: a file that somebody names may hold a key beside them. */
function certificatesIn(path: string): readonly string[] {
  return (
    bestEffort(
      "a list of certificates that cannot be read adds none",
      () => readFileSync(path, "utf8").match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [],
    ) ?? []
  )
}
