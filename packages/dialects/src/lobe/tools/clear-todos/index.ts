import { defineTool } from "@haft/contract"
import { manifest } from "./manifest.js"
import { messages } from "./messages.js"
import { present } from "./present.js"

/** Removes steps from the session's todo list. */
export const clearTodos = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: () => import("./examples.js"),
})
