import { defineTool } from "@haft/contract"
import { manifest } from "./manifest.js"
import { messages } from "./messages.js"
import { present } from "./present.js"

/** Writes a whole text file into a folder that exists. */
export const writeText = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: () => import("./examples.js"),
  preview: () => import("@haft/tools/files/shared/preview/dry-run.js"),
})
