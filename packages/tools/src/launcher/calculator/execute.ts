import type { Execute } from "@haft/contract"
import { finite } from "../shared/scalar.js"
import type { manifest } from "./index.js"

/** Works out the expression apart from this thread: it may be as costly as whoever wrote it likes. */
export const execute: Execute<typeof manifest> = async ({ expression }, { compute, signal }) => ({
  result: finite(await compute.calculate({ operation: "evaluate", expression }, { signal }), expression),
})
