import { defineManifest, defineTool, type SkillBackend, type ToolDefinition, text } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../../output.js"
import { type DescribedTool, wordsOf } from "./described-tool.js"
import { requestOf } from "./request-of.js"

type HttpBackend = Extract<SkillBackend, { readonly type: "http" }>

const maxBytes = 2_000_000

/** A tool whose work is one request to one fixed host. */
export function httpTool(described: DescribedTool, backend: HttpBackend): ToolDefinition {
  const { protocol, hostname, port: spelled } = new URL(backend.url.replace(/[?#].*$/s, ""))
  const port = spelled === "" ? (protocol === "http:" ? 80 : 443) : Number(spelled)
  const manifest = defineManifest({
    ...described,
    output: outputSchema({ status: z.int(), ok: z.boolean(), content_type: z.string(), body: z.string() }),
    requires: { net: { hosts: [`${hostname}:${port}`] } },
    kind: "fetch",
    tier: "full-access",
    limit: { unit: "bytes", max: 200_000, past: "sidecar", fields: ["body"], keep: "head" },
    retry: "never",
    timeoutMs: backend.timeoutMs + 10_000,
    effects: () => [{ kind: "net.fetch", host: hostname, port, method: backend.method.toUpperCase() }],
  })
  return defineTool({
    manifest,
    messages: wordsOf(described.title),
    present: ({ status, body }) => [text(`HTTP ${status}\n${body}`.trimEnd())],
    execute: async () => ({
      async execute(input, { network }) {
        const request = requestOf(backend, input)
        const answer = await network.fetch({ ...request, timeoutMs: backend.timeoutMs, maxBytes, maxRedirects: 0 })
        return {
          status: answer.status,
          ok: answer.status >= 200 && answer.status < 300,
          content_type: answer.headers["content-type"] ?? "",
          body: new TextDecoder().decode(answer.body),
        }
      },
    }),
    examples: async () => ({ examples: [] }),
  }) as unknown as ToolDefinition
}
