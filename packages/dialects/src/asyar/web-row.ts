import { defineDialectTool, type ToolResult } from "@haft/contract"
import * as z from "zod"
import { dataOf } from "../shared/parts-of-result.js"

/** The methods that count besides GET, as they are written here. */
const methods: readonly string[] = ["POST", "PUT", "DELETE", "PATCH"]
const defaultTimeoutMs = 20_000
const maxTimeoutMs = 300_000

interface HttpResponse {
  readonly status: number
  readonly status_text: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly ok: boolean
}

/** `builtin:web-fetch`: the response as it is; whatever is not a known method is GET. */
export const webFetchRow = defineDialectTool({
  name: "builtin:web-fetch",
  tool: "http_request",
  titles: { en: "Fetch URL", "zh-CN": "获取网址" },
  description:
    "Performs an HTTP request and returns the response envelope. timeoutMs is 20000 by default and 300000 at most; connecting takes 10 seconds at most.",
  input: z.object({
    url: z.string().describe("Absolute http(s) URL."),
    method: z.string().optional().describe("HTTP method (default GET)."),
    headers: z.record(z.string(), z.string()).optional().describe("String-string headers."),
    body: z.string().optional().describe("Request body."),
    timeoutMs: z.number().min(1).optional().describe("Timeout in milliseconds."),
  }),
  keys: { timeout_ms: "timeoutMs" },
  toArguments: ({ url, method = "GET", headers, body, timeoutMs = defaultTimeoutMs }) => ({
    url,
    method: methods.includes(method) ? method : "GET",
    ...(headers !== undefined && { headers }),
    ...(body !== undefined && { body }),
    timeout_ms: Math.min(Math.round(timeoutMs), maxTimeoutMs),
  }),
  toValue: (result) => {
    const { status, status_text, headers, body, ok } = dataOf<HttpResponse>(result)
    return { status, statusText: status_text, headers: lowerCased(headers), body: withNote(body, result), ok }
  },
})

function lowerCased(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

/** No field says that a body is not all there, so a line at its end does. */
function withNote(body: string, { envelope }: ToolResult): string {
  const { truncated, output_path } = envelope.metadata ?? {}
  if (!truncated) return body
  const where =
    output_path === undefined ? "" : `: the whole output is in ${output_path}; open it with builtin__fs-read`
  return `${body}\n[Truncated${where}]`
}
