/** Which clipboard answered: that of the system, or one that only this session has because there is no display. */
export type ClipboardSource = "system" | "session"

/** The text clipboard. Content that is not text is `unsupported`. */
export interface Clipboard {
  read(): Promise<{ readonly text: string; readonly source: ClipboardSource }>
  write(text: string): Promise<{ readonly source: ClipboardSource }>
}
