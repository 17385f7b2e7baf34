import { defineTool } from "@haft/contract"
import { manifest } from "./manifest.js"
import { messages } from "./messages.js"
import { present } from "./present.js"

/** Writes a whole file and keeps what it replaced beside the result. */
export const writeFile = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: () => import("./examples.js"),
  preview: () => import("@haft/tools/files/shared/preview/dry-run.js"),
})
