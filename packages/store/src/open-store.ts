import type { Redactor } from "./redact/create-redactor.js"
import type { Store } from "./store.js"

/** Where the journal is and what it needs from outside. */
export interface OpenStoreOptions {
  /** Path of an SQLite file, or a postgres:// URL. */
  readonly location: string
  /** Every record passes through it before it is written. */
  readonly redact: Redactor
  readonly now?: () => number
  /** Name of this store among the owners of sessions; by default a new one. */
  readonly process?: string
}

/** Opens the journal, and makes or updates its tables when needed. */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const { location, redact, now = Date.now } = options
  // Imported here, so that a program that never opens a journal does not load its libraries.
  const [{ migrate }, { JournalStore }, driver] = await Promise.all([
    import("./schema/migrate.js"),
    import("./journal-store.js"),
    openDriver(location),
  ])
  try {
    await migrate(driver)
    return new JournalStore(driver, { redact, now, process: options.process })
  } catch (error) {
    await driver.close()
    throw driver.explain(error, "open the journal")
  }
}

async function openDriver(location: string) {
  if (/^postgres(?:ql)?:\/\//.test(location))
    return (await import("./driver/postgres/open-postgres.js")).openPostgres(location)
  return (await import("./driver/sqlite/open-sqlite.js")).openSqlite(location)
}
