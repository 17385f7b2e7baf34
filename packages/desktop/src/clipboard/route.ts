import { ToolError } from "@haft/contract"
import type { RunClipboardProgram } from "./run-program.js"

/** One way to the clipboard of the system. Answers undefined where it leads nowhere, such as a display that is gone. */
export interface ClipboardRoute {
  read(run: RunClipboardProgram): Promise<string | undefined>
  write(text: string, run: RunClipboardProgram): Promise<true | undefined>
}

/** Says that the clipboard holds something, but no text. */
export function notText(kinds: readonly string[]): ToolError {
  const named = kinds
    .slice(0, 5)
    .map((kind) => kind.slice(0, 80))
    .join(", ")
  return new ToolError("unsupported", `Cannot read the clipboard: its content is not text but ${named}`, {
    hint: "Ask the user to copy text, or to save the content as a file",
  })
}

/** Bytes as text; what is no UTF-8 is no text. */
export function decodeText(bytes: Uint8Array): string {
  try {
    // A byte order mark is part of what was copied.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new ToolError("unsupported", "Cannot read the clipboard: its content is not text in UTF-8")
  }
}
