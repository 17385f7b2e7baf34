import { join } from "node:path"
import type { SessionRecord } from "@haft/contract"
import type { Driver } from "../src/driver/driver.js"
import { openStore } from "../src/open-store.js"
import type { Store } from "../src/store.js"
import { sampleCall, sampleRedactor, sampleSession } from "./samples.js"

/** A journal on one database, and the database itself for looking and tampering. */
export interface World {
  readonly store: Store
  readonly driver: Driver
  /** A temporary folder. */
  readonly folder: string
  /** Opens the same journal once more, as another process would. */
  open(): Promise<Store>
  newSession(changes?: Partial<SessionRecord>): Promise<string>
  newSessionWithCalls(count: number): Promise<string>
  close(): Promise<void>
}

/** Opens a world. */
export async function openWorld(options: {
  readonly location: string
  readonly folder: string
  readonly openDriver: (location: string) => Promise<Driver>
}): Promise<World> {
  const blobs = join(options.folder, "blobs")
  const open = () => openStore({ location: options.location, blobs, redact: sampleRedactor })
  const store = await open()
  const driver = await options.openDriver(options.location)
  const newSession = async (changes: Partial<SessionRecord> = {}) => {
    const session = sampleSession(changes)
    await store.createSession(session)
    return session.id
  }
  return {
    store,
    driver,
    folder: options.folder,
    open,
    newSession,
    async newSessionWithCalls(count) {
      const sessionId = await newSession()
      for (let done = 0; done < count; done++) await store.settle(sampleCall(sessionId))
      return sessionId
    },
    async close() {
      await driver.close()
      await store.close()
    },
  }
}
