import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

const result = (engine: string) => ({
  title: "typescript handbook, page 1",
  url: "https://example.org/typescript-handbook/1",
  content: "About typescript handbook: number 1",
  engines: [engine],
  score: 1,
})

/** Calls that show what `web_search_engines` promises; the pages of example.org stand for the web. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "one engine",
    input: { query: "typescript handbook", engines: ["ddg"], limit: 1 },
    output: { results: [result("ddg")], failed: [] },
  },
  {
    name: "two engines agree, named in one text",
    input: { query: "typescript handbook", engines: "sogou, 360", limit: 1 },
    output: { results: [{ ...result("sogou"), engines: ["sogou", "so360"], score: 4 }], failed: [] },
  },
  {
    name: "nothing below the allowed domains",
    input: { query: "typescript handbook", allowed_domains: ["nowhere.example"] },
    output: { results: [], failed: [] },
  },
  { name: "every engine fails", input: { query: "captcha", engines: ["ddg", "sogou"] }, fails: "unavailable" },
]
