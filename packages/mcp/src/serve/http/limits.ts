// A whole file may be written in one call.
export const maxBodyBytes = 16 * 1024 * 1024
export const maxSessions = 64
export const sessionIdleMs = 1_800_000
export const maxConnections = 512
