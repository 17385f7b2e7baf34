import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `web_fetch` promises; the pages of example.org stand for the web. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "an article",
    input: { url: "http://example.org/article" },
    output: {
      url: "http://example.org/article",
      status: 200,
      content_type: "text/html",
      title: "On bridges",
      content: "# On bridges\n\nA bridge carries a road over [water](http://example.org/water).",
    },
  },
  {
    name: "data as it is",
    input: { url: "http://example.org/data.json?token=abc", format: "text" },
    output: {
      url: "http://example.org/data.json",
      content_type: "application/json",
      content: '[Left out of the address before it was sent: token]\n\n{"bridges": 2}',
    },
  },
  { name: "a missing page", input: { url: "http://example.org/missing" }, fails: "not_found" },
  { name: "a page that its scripts would write", input: { url: "http://example.org/app" }, fails: "unsupported" },
]
