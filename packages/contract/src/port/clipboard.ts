/** Which clipboard answered: that of the system, or one that only this session has. */
export type ClipboardSource = "system" | "session"

/** Which clipboard answered, and why it was not that of the system. */
export interface ClipboardAnswer {
  readonly source: ClipboardSource
  readonly reason?: string
}

/** The text clipboard. Content that is not text is `unsupported`. */
export interface Clipboard {
  read(): Promise<ClipboardAnswer & { readonly text: string }>
  write(text: string): Promise<ClipboardAnswer>
}
