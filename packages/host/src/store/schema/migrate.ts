import { ToolError } from "@haft/contract"
import type { Kysely, RawBuilder } from "kysely"
import type { Driver } from "../driver/driver.js"
import { createTables } from "./create-tables.js"
import type { Tables } from "./tables.js"

/** One step forward. Steps are never edited once released; a change of the schema is a new step at the end. */
export type Migration = (db: Kysely<Tables>, idType: "text" | RawBuilder<unknown>) => Promise<void>

const migrations: readonly Migration[] = [createTables]

/** Brings the database to the schema that this version knows, and refuses one that is newer. */
export async function migrate(driver: Driver): Promise<void> {
  const found = await driver.readVersion(driver.db)
  if (found === migrations.length) return
  refuseNewer(found, driver)
  await driver.transaction(async (db) => {
    // Asked again inside the transaction: another process may have been first.
    const version = await driver.readVersion(db)
    refuseNewer(version, driver)
    for (const step of migrations.slice(version)) await step(db, driver.idType)
    if (version < migrations.length) await driver.writeVersion(db, migrations.length)
  })
}

function refuseNewer(version: number, driver: Driver): void {
  if (version <= migrations.length) return
  throw new ToolError(
    "unsupported",
    `Cannot open the journal "${driver.place}": its schema is version ${version} and this Haft knows ${migrations.length}; update Haft`,
    { hint: "Update Haft, or choose another place with the setting `store`" },
  )
}
