import type { Execute } from "@haft/contract"
import { finite } from "../shared/scalar.js"
import type { manifest } from "./index.js"

/** Evaluates the expression outside this thread, because it may be costly. */
export const execute: Execute<typeof manifest> = async ({ expression }, { compute, signal }) => ({
  result: finite(await compute.calculate({ operation: "evaluate", expression }, { signal }), expression),
})
