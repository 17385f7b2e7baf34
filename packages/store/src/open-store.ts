import { dirname, join, resolve } from "node:path"
import type { Redactor } from "./redact/create-redactor.js"
import type { Store } from "./store.js"

/** Where the journal is and what it needs from outside. */
export interface OpenStoreOptions {
  /** Path of an SQLite file, or a postgres:// URL. */
  readonly location: string
  /** Folder of values that are too large for the journal; by default `blobs` beside an SQLite file. */
  readonly blobs?: string
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
  const [{ migrate }, { JournalStore }, { Blobs }, driver] = await Promise.all([
    import("./schema/migrate.js"),
    import("./journal-store.js"),
    import("./blobs.js"),
    openDriver(location),
  ])
  try {
    await migrate(driver)
    const beside = isPostgres(location) ? undefined : join(dirname(resolve(location)), "blobs")
    const blobs = new Blobs(options.blobs ?? beside)
    return new JournalStore(driver, { redact, blobs, now, process: options.process })
  } catch (error) {
    await driver.close()
    throw driver.explain(error, "open the journal")
  }
}

function isPostgres(location: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(location)
}

async function openDriver(location: string) {
  if (isPostgres(location)) return (await import("./driver/postgres/open-postgres.js")).openPostgres(location)
  return (await import("./driver/sqlite/open-sqlite.js")).openSqlite(location)
}
