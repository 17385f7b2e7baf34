import type { Execute } from "@haft/contract"
import { finite } from "@haft/tools/launcher/shared/scalar.js"
import type { manifest } from "./index.js"

/** Works out the expression apart from this thread and rounds what it gives. */
export const execute: Execute<typeof manifest> = async ({ expression, precision }, { compute, signal }) => ({
  result: finite(await compute.calculate({ operation: "evaluate", expression, precision }, { signal }), expression),
})
