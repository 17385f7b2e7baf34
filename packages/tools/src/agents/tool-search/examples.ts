import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

const weather = { id: "weather", description: "Tells the weather of a place. Use before a walk." }

/** Calls that show what `tool_search` promises, where a tool `weather` is not listed. */
export const examples: readonly Example<typeof manifest>[] = [
  { name: "by what it is for", input: { query: "weather in a place" }, output: { matches: [weather] } },
  { name: "by name", input: { query: "select:Weather" }, output: { matches: [weather] } },
  { name: "with a word that must occur", input: { query: "+walk forecast" }, output: { matches: [weather] } },
  { name: "nothing found", input: { query: "+tide" }, output: { matches: [] } },
]
