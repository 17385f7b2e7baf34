import { type Execute, ToolError } from "@haft/contract"
import { charsetOf } from "../shared/page/content-kind.js"
import { requireAddress, shownAddress } from "../shared/page/web-address.js"
import type { manifest } from "./manifest.js"

const maxBytes = 5 * 1024 * 1024
const connectTimeoutMs = 10_000

/** Sends the request as it is written and gives the answer as it comes. */
export const execute: Execute<typeof manifest> = async (input, { network, setState }) => {
  const { method, headers = {}, body, timeout_ms } = input
  const { url } = requireAddress(input.url)
  checkHeaders(url, headers)
  const response = await network.fetch({
    url,
    method,
    headers,
    ...(body !== undefined && { body }),
    timeoutMs: timeout_ms,
    connectTimeoutMs: Math.min(connectTimeoutMs, timeout_ms),
    maxBytes,
    past: "cut",
    maxRedirects: 10,
  })
  const { status, statusText, redirects } = response
  if (redirects.length > 0)
    setState({ redirects: redirects.map((address) => shownAddress(address)), url: response.url })
  return {
    status,
    status_text: statusText,
    headers: { ...response.headers },
    body: decode(response.body, response.headers["content-type"]),
    ok: status >= 200 && status < 300,
    ...(response.cut && { cut: true as const }),
  }
}

/** What a header may say is the server's concern; that it stays one header is ours. */
function checkHeaders(url: string, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    const reason = !/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name)
      ? "is no name of a header"
      : connectionHeaders.has(name.toLowerCase())
        ? "is set by the connection itself; leave it out"
        : /[\r\n\0]/.test(value)
          ? "has a line break in its value; use one line"
          : undefined
    if (reason !== undefined) {
      const shown = JSON.stringify(name.slice(0, 100))
      throw new ToolError("invalid_args", `Cannot fetch "${shownAddress(url)}": the header ${shown} ${reason}`)
    }
  }
}

const connectionHeaders = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
])

/** Bytes that are no characters come as U+FFFD: a body is always text here. */
function decode(body: Uint8Array, contentType: string | undefined): string {
  try {
    return new TextDecoder(charsetOf(contentType) ?? "utf-8").decode(body)
  } catch {
    return new TextDecoder().decode(body)
  }
}
