import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `create_plan` promises. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "a plan with its background",
    input: {
      goal: "Move to the new parser",
      description: "The old one is slow",
      context: "Files above 1 MB take seconds",
    },
    output: {},
  },
  { name: "a plan without background", input: { goal: "Tidy up", description: "", context: "" }, output: {} },
  { name: "a plan in another language", input: { goal: "重构解析器", description: "更快", context: "无" }, output: {} },
]
