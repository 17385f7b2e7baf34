/** How long a search may run: well below the tools' own limit, so that what was found can still be returned. */
export const searchTimeoutMs = 20_000
