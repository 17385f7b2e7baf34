import type { Execute } from "@haft/contract"
import { finite } from "@haft/tools/launcher/shared/scalar.js"
import type { manifest } from "./index.js"

/** Puts the values into the expression, works it out apart from this thread and rounds what it gives. */
export const execute: Execute<typeof manifest> = async (input, { compute, signal }) => ({
  result: finite(await compute.calculate({ operation: "evaluate", ...input }, { signal }), input.expression),
})
