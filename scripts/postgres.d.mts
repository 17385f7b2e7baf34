/** A running temporary server. */
export interface TemporaryPostgres {
  readonly url: string
  stop(): Promise<void>
}

/** Starts a temporary PostgreSQL server, or resolves to undefined after it has printed why it could not. */
export function startPostgres(): Promise<TemporaryPostgres | undefined>
