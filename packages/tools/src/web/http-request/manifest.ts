import { defineManifest } from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../output.js"
import { addressArgument, reachedHosts, webAddress } from "../shared/page/web-address.js"

/** What is known about `http_request` without running it. */
export const manifest = defineManifest({
  id: "http_request",
  title: "HTTP request",
  description:
    "Sends one HTTP request and gives the raw answer; every status is a result. Use for APIs; use web_fetch to read pages.",
  input: z.strictObject({
    url: addressArgument,
    method: z.enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]).default("GET"),
    headers: z.record(z.string(), z.string()).optional(),
    body: z.string().optional(),
    timeout_ms: z.int().min(1).max(300_000).default(20_000),
  }),
  output: outputSchema({
    status: z.int(),
    status_text: z.string(),
    headers: z.record(z.string(), z.string()).describe("Names in lower case"),
    body: z.string(),
    ok: z.boolean().describe("True for a status from 200 to 299"),
    cut: z.literal(true).optional().describe("Set when the body goes on past 5 MB"),
  }),
  requires: { net: { hosts: ["*"] } },
  operands: ["url"],
  toolset: "launcher",
  subjectKind: "command",
  inAutoMode: "never",
  kind: "fetch",
  tier: "full-access",
  limit: { unit: "bytes", max: 200_000, past: "sidecar", fields: ["body"], keep: "head" },
  retry: "never",
  timeoutMs: 310_000,
  effects: ({ url, method }) => reachedHosts(url, method),
  // Rules name a method and a host, as in http_request(POST api.example.org).
  subject: ({ url, method }) => ({ kind: "command", argv: [method, placeOf(url)] }),
})

function placeOf(url: string): string {
  const address = webAddress(url)
  return address.isValid ? new URL(address.url).host : url
}
