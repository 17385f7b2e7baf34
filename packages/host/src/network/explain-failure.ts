import { FetchFailure } from "./fetch-failure.js"
import { limits } from "./limits.js"

/** Finds the words for whatever sockets, TLS and the HTTP parser throw; `hasBegun` when a part of the answer was there. */
export function explainFailure(error: unknown, where: { readonly hasBegun: boolean; readonly place: string }): unknown {
  if (error instanceof FetchFailure) return error
  const code = codeOf(error)
  // Everything that comes from outside has a code; the rest is a defect and must not look like a server's fault.
  if (code === undefined) return error
  const known = byCode[code]
  if (known) return new FetchFailure(known.code, `${where.place} ${known.reason}`, known.hint)
  if (isCertificateCode(code)) {
    const fix = "Check the clock of this machine; a private authority belongs into the configuration"
    const reason = `the certificate of ${where.place} is not accepted (${code})`
    return new FetchFailure("backend", reason, "Check the host name", fix)
  }
  if (code.startsWith("ERR_SSL") || code === "EPROTO") {
    return new FetchFailure("backend", `${where.place} does not speak TLS as expected (${code})`, tlsHint)
  }
  if (code.startsWith("HPE_") || code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH") {
    const reason = `the answer of ${where.place} is no valid HTTP (${code})`
    return new FetchFailure("backend", reason, "Check that the port is one of a web server")
  }
  if (code === "UND_ERR_HEADERS_OVERFLOW") {
    const reason = `the headers of the answer are larger than ${limits.headerBytes / 1024} KB`
    return new FetchFailure("too_large", reason, "Ask for another address of the same site")
  }
  if (where.hasBegun) {
    return new FetchFailure("backend", `${where.place} broke the connection off in the middle of the answer`, again)
  }
  const reason = closed.has(code) ? "closed the connection without an answer" : `cannot be reached (${code})`
  return new FetchFailure("unavailable", `${where.place} ${reason}`, again)
}

const again = "Try again later"
const tlsHint = "Check whether this port speaks http instead of https"
const closed = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE", "UND_ERR_INFO"])

const byCode: Readonly<Record<string, { code: FetchFailure["code"]; reason: string; hint: string }>> = {
  ECONNREFUSED: {
    code: "unavailable",
    reason: "refuses connections",
    hint: "Check the port, and whether the server runs",
  },
  EHOSTUNREACH: { code: "unavailable", reason: "cannot be reached from here", hint: again },
  ENETUNREACH: { code: "unavailable", reason: "cannot be reached: no network leads there", hint: again },
  ETIMEDOUT: { code: "unavailable", reason: "does not answer", hint: again },
}

function isCertificateCode(code: string): boolean {
  return /CERT|CRL|ISSUER|SELF_SIGNED|LEAF_SIGNATURE|HOSTNAME_MISMATCH/.test(code)
}

function codeOf(error: unknown): string | undefined {
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown }
  // The parser has no code for everything it finds.
  if (name === "HTTPParserError") return typeof code === "string" ? code : "HPE_INVALID"
  return typeof code === "string" ? code : undefined
}
