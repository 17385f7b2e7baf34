import { defineManifest, defineTool, type RetryClass, type ToolDefinition, text } from "@haft/contract"
import * as z from "zod"

/** A tool that does nothing: what a call to it costs is what every call costs. */
export function noOpTool(id: string, retry: RetryClass): ToolDefinition {
  const words = { title: "No operation", loading: "Doing nothing", done: "Did nothing" }
  const manifest = defineManifest({
    id,
    title: words.title,
    description: "Returns what it was given",
    input: z.strictObject({ value: z.string(), count: z.number().int().default(1) }),
    output: z.object({ value: z.string(), head: z.string().optional() }),
    requires: {},
    kind: "other",
    tier: "read-only",
    limit: { unit: "bytes", max: 200_000, past: "paged" },
    retry,
    timeoutMs: 30_000,
    effects: () => [],
  })
  const tool = defineTool({
    manifest,
    messages: { en: words, "zh-CN": words },
    present: ({ value }) => [text(value)],
    execute: async () => ({ execute: async ({ value }) => ({ value }) }),
    examples: async () => ({ examples: [] }),
  })
  return tool as unknown as ToolDefinition
}

/** The rules that let a headless session call these tools. */
export function allowing(...ids: readonly string[]) {
  return ids.map((permission) => ({ permission, action: "allow" as const }))
}
