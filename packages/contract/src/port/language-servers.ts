/** Something a language server said about a place in a file; lines and characters count from 1. */
export interface LanguageItem {
  readonly path: string
  readonly line: number
  readonly character: number
  readonly text: string
  readonly kind?: string
  readonly severity?: "error" | "warning" | "information" | "hint"
}

/** What to ask a language server. */
export interface LanguageRequest {
  readonly action: "definition" | "references" | "hover" | "symbols" | "diagnostics"
  readonly path?: string
  readonly line?: number
  readonly character?: number
  readonly query?: string
  readonly signal: AbortSignal
}

/** Answers of language servers that were found in the project or on the machine, confined and read-only. */
export interface LanguageServers {
  ask(request: LanguageRequest): Promise<{
    readonly items: readonly LanguageItem[]
    readonly text?: string
    readonly server: string
    readonly fresh: boolean
    /** Places that the call may not see: counted, never named. */
    readonly denied?: number
  }>
  /** New problems of a file just written, when a server for it is already running; never waits long, never stale. */
  afterWrite(path: string): Promise<readonly LanguageItem[] | undefined>
}
