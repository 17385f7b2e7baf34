import { streamMarks } from "./printed-text.js"

/** How long the text of an output may be that a model reads: head and tail of a log are what is looked at. */
export const textLimit = { maxCharacters: 32_000, marks: Object.values(streamMarks) } as const

/** How much a command may print into its result; the port keeps the whole in a file. */
export const outputLimit = {
  unit: "bytes",
  max: 200_000,
  past: "sidecar",
  fields: ["stdout", "stderr"],
  keep: "head-and-tail",
  text: textLimit,
} as const
