import { ToolError } from "@haft/contract"

/** The most bytes of text, in either direction. */
export const maxClipboardBytes = 5 * 1024 * 1024

/** Refuses what no clipboard would give back as it was written. */
export function checkText(text: string): void {
  if (Buffer.byteLength(text) > maxClipboardBytes) throw tooLarge("write to")
  if (text.includes("\0")) throw refusal("it holds a NUL character, where many programs would cut it; leave that out")
  if (/\p{Surrogate}/u.test(text)) throw refusal("it holds half of a character, which UTF-8 cannot say")
}

/** Says that a text is longer than the clipboard carries here. */
export function tooLarge(action: "read" | "write to"): ToolError {
  return new ToolError("too_large", `Cannot ${action} the clipboard: the text is larger than 5 MB; use a file instead`)
}

function refusal(reason: string): ToolError {
  return new ToolError("invalid_args", `Cannot write the text to the clipboard: ${reason}`)
}
