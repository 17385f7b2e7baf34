import { loadConfiguration } from "../../config/load-configuration.js"
import { type Check, type DoctorRequest, failed } from "./check.js"

/** Whether the journal opens, is of a known schema, and can be written. */
export async function journalCheck({ places, env, roots }: DoctorRequest): Promise<Check> {
  try {
    const { values } = await loadConfiguration({ env, places, roots: [], flags: {}, defaultLimit: () => undefined })
    const location = values.get("store")
    const { createHaft } = await import("../../library/create-haft.js")
    const haft = await createHaft({
      roots,
      home: places.home,
      storage: { configHome: places.configHome, store: location },
    })
    try {
      // Opening brings the schema up to date, which writes; listing reads.
      const store = await haft.store()
      const sessions = await store.sessions({ archived: true })
      return { name: "journal", state: "ok", found: `${sessions.length} sessions in ${shown(location) ?? places.home}` }
    } finally {
      await haft.close()
    }
  } catch (error) {
    return failed("journal", error)
  }
}

/** A database URL may hold a password. */
function shown(location: string | undefined): string | undefined {
  return location?.replace(/\/\/[^@/]*@/, "//…@")
}
