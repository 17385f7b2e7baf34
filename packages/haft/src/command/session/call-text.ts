import type { CallRecord, ToolDefinition } from "@haft/contract"
import type { Say } from "@haft/language"
import { catalog } from "@haft/tools"

/** What the model read of a recorded call, made from the record by the tool's own words. */
export function callText({ tool: id, arguments: input, envelope }: CallRecord, say: Say): string {
  if (!envelope) return `(${say`not finished`})`
  if (envelope.type === "error") return `${say`error:`} ${say(envelope.error_text)}`
  const tool = catalog.find(({ manifest }) => manifest.id === id || manifest.formerIds?.includes(id))
  return (tool && presented(tool, envelope.data, input)) ?? JSON.stringify(envelope.data)
}

function presented(tool: ToolDefinition, data: unknown, input: unknown): string | undefined {
  try {
    const content = tool.present(data, input as Record<string, unknown>)
    return content.map((part) => (part.type === "text" ? part.text : `[${part.mediaType}]`)).join("\n")
  } catch {
    // A record of an older version, or one with secrets taken out, may not fit; then the data speaks.
    return undefined
  }
}
