import { tool } from "haft"
import { examples } from "./examples.js"
import { manifest } from "./manifest.js"
import { messages } from "./messages.js"
import { present } from "./present.js"

/** Counts the words of a text file. */
export const wordCount = tool({
  ...manifest,
  messages,
  present,
  examples,
  // Loaded at the first call, and by pages only.
  execute: async (input, context) => (await import("./execute.js")).execute(input, context),
  faces: () => import("./faces.js"),
})
