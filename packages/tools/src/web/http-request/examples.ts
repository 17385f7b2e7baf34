import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `http_request` promises; example.org represents the web. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "data of an API",
    input: { url: "http://example.org/data.json" },
    output: { status: 200, status_text: "OK", body: '{"bridges": 2}', ok: true },
  },
  {
    name: "a missing page is an answer",
    input: { url: "http://example.org/missing", method: "DELETE" },
    output: { status: 404, ok: false },
  },
  {
    name: "a header that the connection sets",
    input: { url: "http://example.org/", headers: { Host: "other.org" } },
    fails: "invalid_args",
  },
]
