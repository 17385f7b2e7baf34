/** The files that an editor holds open, perhaps with changes that are not saved. */
export interface EditorBuffers {
  /** The text as the editor has it; undefined where it has none, or does not say in time. */
  read(path: string, signal: AbortSignal): Promise<string | undefined>
  /** Tells the editor what a file with unsaved changes became; its file on disk has that content already. */
  written(path: string, text: string, signal: AbortSignal): Promise<void>
}
