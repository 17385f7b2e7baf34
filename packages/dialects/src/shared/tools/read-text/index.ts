import { defineTool } from "@haft/contract"
import { manifest } from "./manifest.js"
import { messages } from "./messages.js"
import { present } from "./present.js"

/** Reads a whole text file, or some of its lines, as strict UTF-8. */
export const readText = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: () => import("./examples.js"),
})
