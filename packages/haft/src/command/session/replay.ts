import type { CallRecord, ToolDefinition } from "@haft/contract"
import { catalog } from "@haft/tools"
import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import { printRows } from "../print.js"
import { sessionNamed, withStore } from "./with-store.js"

/** `haft session replay`: the recorded results in their order. No tool runs: words are made from the records. */
export const run: Run = async (invocation, io) => {
  const calls = await withStore(invocation, io, async (store) => {
    const session = await sessionNamed(store, invocation.operands[0]!)
    return store.calls(session.id)
  })
  const rows = calls.map(({ callId, tool, arguments: input, envelope, startedAt, endedAt }) => ({
    call: callId,
    tool,
    arguments: input,
    startedAt,
    endedAt,
    envelope: envelope ?? null,
  }))
  printRows(invocation, io, rows, (style) =>
    calls
      .map((call) => `${style.bold(`> ${call.tool}`)} ${JSON.stringify(call.arguments)}\n${contentOf(call)}`)
      .join("\n"),
  )
  return exitCodes.ok
}

/** What the model read, made from the record by the tool's own words. */
function contentOf({ tool: id, arguments: input, envelope }: CallRecord): string {
  if (!envelope) return "(not finished)"
  if (envelope.type === "error") return `error: ${envelope.error_text}`
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
