import { defineTool } from "@haft/contract"
import { manifest } from "./manifest.js"
import { messages } from "./messages.js"
import { present } from "./present.js"

/** Searches the web with several engines at once; reached through dialects only. */
export const webSearchEngines = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: () => import("./examples.js"),
})
