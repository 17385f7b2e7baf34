import { defineTool } from "@haft/contract"
import { manifest } from "./manifest.js"
import { messages } from "./messages.js"
import { present } from "./present.js"

/** Changes one cell of a notebook and keeps what the whole file was before and is now beside the result. */
export const notebookEditFile = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: () => import("./examples.js"),
  preview: () => import("@haft/tools/files/shared/preview/dry-run.js"),
})
