/** How long things may take and how much is kept. */
export interface LanguageLimits {
  /** From the start of a server to its first answer. */
  readonly initializeMs: number
  readonly requestMs: number
  /** How long problems of the current version are waited for. */
  readonly freshMs: number
  /** All of the work after a write. */
  readonly afterWriteMs: number
  /** Servers publish in steps (syntax first, types later): how long nothing must have come. */
  readonly settleMs: number
  /** A server that nobody asked for so long is ended. */
  readonly idleMs: number
  readonly maxServers: number
  /** How long the workspace is compared with what a server knows. */
  readonly scanMs: number
  readonly maxScanEntries: number
}

/** What holds where nothing else is said. */
export const defaultLimits: LanguageLimits = {
  initializeMs: 20_000,
  requestMs: 10_000,
  freshMs: 2_000,
  afterWriteMs: 1_500,
  settleMs: 150,
  idleMs: 300_000,
  maxServers: 4,
  scanMs: 1_000,
  maxScanEntries: 100_000,
}

/** The largest file that is sent to a server. */
export const maxDocumentBytes = 4 * 1024 * 1024
