import type { Execute } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Differentiates apart from this thread: derivatives can grow without bound. */
export const execute: Execute<typeof manifest> = async (input, { compute, signal }) => ({
  result: String(await compute.calculate({ operation: "differentiate", ...input }, { signal })),
})
