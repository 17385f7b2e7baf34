import type { ToolDefinition, ToolResult } from "@haft/contract"
import type { TaintedText } from "@haft/guard"

// What a model still has before its eyes; each entry holds on to a text.
const kept = 16
const longest = 256 * 1024

/** Results of a session that others could have written, or that must not leave the machine, for the watchdog. */
export class TaintedTexts {
  private texts: readonly TaintedText[] = []

  list(): readonly TaintedText[] {
    return this.texts
  }

  add(callId: string, { manifest }: ToolDefinition, { envelope, content }: ToolResult): void {
    const isForeign = manifest.requires.net !== undefined || manifest.requires.capabilities?.includes("servers")
    const isFile = manifest.kind === "read" && manifest.requires.fs?.read !== undefined
    if (envelope.type !== "output" || !(isForeign || isFile)) return
    const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
    const entry: TaintedText = { callId, text: text.slice(0, longest), ...(isForeign ? {} : { source: "file" }) }
    this.texts = [...this.texts.slice(1 - kept), entry]
  }
}
