import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `structured_output` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  { name: "an object", input: { answer: 42, reasons: ["it was computed"] }, output: {} },
  { name: "nested objects", input: { files: [{ path: "a.ts", problems: [] }] }, output: {} },
  { name: "an empty object", input: {}, fails: "invalid_args" },
]
