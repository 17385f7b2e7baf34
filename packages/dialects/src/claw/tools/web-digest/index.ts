import { defineManifest, defineTool, type Example, type Present, type ToolMessages, text } from "@haft/contract"
import { outputSchema } from "@haft/tools/output.js"
import { addressArgument, reachedHosts } from "@haft/tools/web/shared/page/web-address.js"
import * as z from "zod"
import { secureAddress } from "./secure-address.js"

export const manifest = defineManifest({
  id: "web_digest",
  title: "Page digest",
  description:
    "Fetches a page and gives its title or the beginning of its text, as the prompt asks. Use for a quick look; use web_fetch for whole pages.",
  input: z.strictObject({
    url: addressArgument,
    prompt: z.string().describe("What to look for"),
  }),
  output: outputSchema({
    bytes: z.int().min(0),
    code: z.int(),
    code_text: z.string(),
    result: z.string(),
    duration_ms: z.int().min(0),
    url: z.string().describe("Where the page came from, after redirects"),
  }),
  requires: { net: { hosts: ["*"] } },
  kind: "fetch",
  tier: "read-only",
  limit: { unit: "bytes", max: 200_000, past: "sidecar", fields: ["result"], keep: "head" },
  retry: "safe",
  timeoutMs: 80_000,
  effects: ({ url }) => reachedHosts(secureAddress(url)),
  judgedLike: "web_fetch",
})

/** The digest, with the status where it is no success. */
const present: Present<typeof manifest> = ({ code, code_text, result }) => [
  text(code >= 200 && code < 300 ? result : `${code} ${code_text}\n${result}`),
]

const messages: ToolMessages = {
  en: { title: "Page digest", loading: "Looking at a page", done: "Looked at a page" },
  "zh-CN": { title: "网页摘要", loading: "正在查看网页", done: "已查看网页" },
}

const examples: readonly Example<typeof manifest>[] = [
  {
    name: "the title",
    input: { url: "http://localhost/article", prompt: "What is the title?" },
    output: {
      code: 200,
      code_text: "OK",
      url: "http://localhost/article",
      result: "Fetched http://localhost/article\nTitle: On bridges",
    },
  },
  {
    name: "how a page begins",
    input: { url: "http://localhost/article", prompt: "What is it about?" },
    output: {
      result:
        "Fetched http://localhost/article\nPrompt: What is it about?\nContent preview:\nOn bridges A bridge carries a road over water.",
    },
  },
  {
    name: "a missing page is an answer",
    input: { url: "http://localhost/missing", prompt: "Anything" },
    output: { code: 404, code_text: "Not Found" },
  },
]

/** Looks at a page and says what it is called or how it begins. */
export const webDigest = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: async () => ({ examples }),
  faces: () => import("@haft/tools/web/ui/page-faces.js"),
})
