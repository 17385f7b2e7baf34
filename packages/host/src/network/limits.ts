/** Bounds of every request; none of them can be lifted by a tool. */
export const limits = {
  connectTimeoutMs: 10_000,
  redirects: 10,
  /** Names and values of all headers of an answer together. */
  headerBytes: 32 * 1024,
  /** Compression upon compression; real servers use one. */
  encodings: 3,
  /** Compressed content may be a little larger than what it holds. */
  compressedSlackBytes: 64 * 1024,
  /** Connections that wait for a next request, in one session. */
  idleConnections: 16,
  idleMs: 4_000,
} as const
