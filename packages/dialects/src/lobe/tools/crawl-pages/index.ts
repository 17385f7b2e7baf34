import { defineTool } from "@haft/contract"
import { manifest } from "./manifest.js"
import { messages } from "./messages.js"
import { present } from "./present.js"

/** Reads several pages of the web at once. */
export const crawlPages = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: () => import("./examples.js"),
})
