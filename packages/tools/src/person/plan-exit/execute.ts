import type { Execute } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Proposes the end of plan mode; only a person's yes makes it happen, and it is the host that does it. */
export const execute: Execute<typeof manifest> = async ({ plan }, { conversation }) => {
  const { approved, reason } = await conversation.reviewPlan(plan)
  return { approved, ...(reason !== undefined && { reason }) }
}
