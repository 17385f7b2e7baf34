import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `web_digest` promises; a server on this machine stands for the web. */
export const examples: readonly Example<typeof manifest>[] = [
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
