/** A command that outlives its call. */
export interface JobRequest {
  readonly argv: readonly string[]
  /** The command as it was asked for, for lists and messages. */
  readonly label: string
  readonly directory?: string
  readonly environment?: Readonly<Record<string, string>>
  /** Runs in a terminal of its own, for programs that want one. */
  readonly terminal?: boolean
  /** The job counts as ready when this port answers or a line contains this text. */
  readonly readyWhen?: { readonly port?: number; readonly text?: string }
}

/** A job as it is now. */
export interface JobView {
  readonly id: string
  readonly label: string
  readonly state: "running" | "exited" | "stopped"
  readonly ready?: boolean
  readonly exitCode?: number | null
  readonly signal?: string
  /** Why it was ended, when nobody asked for it. */
  readonly note?: string
  /** What was moved or taken back of what it made (protected names, set-user-id bits), one sentence each; known at its end. */
  readonly quarantined?: readonly string[]
  /** Output from the cursor that was given, lossy UTF-8. */
  readonly output: string
  /** Cursor for the next look: bytes of output so far. */
  readonly next: number
  /** Bytes before the cursor that are no longer kept. */
  readonly lostBytes: number
}

/** The jobs of a session; all are gone when it closes, and each tells of its end exactly once. */
export interface Jobs {
  start(request: JobRequest): Promise<JobView>
  /** Waits up to `waitMs` for new output, readiness or the end; `filter` keeps lines that contain it. */
  output(
    id: string,
    options: {
      readonly from?: number
      readonly waitMs?: number
      readonly filter?: string
      readonly signal: AbortSignal
    },
  ): Promise<JobView>
  input(id: string, text: string): Promise<JobView>
  stop(id: string): Promise<JobView>
  list(): readonly JobView[]
}
