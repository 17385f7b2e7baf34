import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `web_search` promises; the pages of example.org stand for the web. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "two results",
    input: { query: "typescript handbook", max_results: 2 },
    output: {
      results: [
        {
          title: "typescript handbook, page 1",
          url: "https://example.org/typescript-handbook/1",
          snippet: "About typescript handbook: number 1",
        },
        {
          title: "typescript handbook, page 2",
          url: "https://example.org/typescript-handbook/2",
          snippet: "About typescript handbook: number 2",
        },
      ],
    },
  },
  { name: "nothing is found", input: { query: "nothing" }, output: { results: [] } },
  { name: "words that are none", input: { query: "   " }, fails: "invalid_args" },
  { name: "the provider takes us for a robot", input: { query: "captcha" }, fails: "unavailable" },
]
