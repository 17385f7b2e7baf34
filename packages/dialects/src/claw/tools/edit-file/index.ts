import { defineTool } from "@haft/contract"
import { manifest } from "./manifest.js"
import { messages } from "./messages.js"
import { present } from "./present.js"

/** Replaces text in a file and keeps what the file was before beside the result. */
export const editFile = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: () => import("./examples.js"),
  preview: () => import("@haft/tools/files/shared/preview/dry-run.js"),
})
