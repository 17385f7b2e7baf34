import type { ToolResult } from "@haft/contract"

/** How long the call took, in whole milliseconds. */
export function durationMs({ envelope }: ToolResult): number {
  return envelope.metadata?.duration_ms ?? 0
}
