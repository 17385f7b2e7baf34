import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe } from "vitest"
import { startPostgres, type TemporaryPostgres } from "../../../scripts/postgres.mjs"
import { openPostgres } from "../src/driver/postgres/open-postgres.js"
import { openSqlite } from "../src/driver/sqlite/open-sqlite.js"
import { callSuite } from "./call-suite.js"
import { exportSuite } from "./export-suite.js"
import { forkSuite } from "./fork-suite.js"
import { ownershipSuite } from "./ownership-suite.js"
import { schemaSuite } from "./schema-suite.js"
import { sessionSuite } from "./session-suite.js"
import { turnSuite } from "./turn-suite.js"
import { undoSuite } from "./undo-suite.js"
import { verifySuite } from "./verify-suite.js"
import { openWorld, type World } from "./world.js"

let folder: string
let postgres: TemporaryPostgres | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "haft-store-"))
  postgres = await startPostgres()
}, 300_000)

afterAll(async () => {
  await postgres?.stop()
  await rm(folder, { recursive: true, force: true })
})

const databases = [
  { name: "SQLite", location: () => join(folder, "journal.db"), openDriver: openSqlite },
  { name: "PostgreSQL", location: () => postgres?.url, openDriver: openPostgres },
]

describe.each(databases)("the journal in $name", ({ name, location, openDriver }) => {
  // Filled before the first test; the suites hold on to the object.
  const world = {} as World

  beforeAll(async () => {
    const found = location()
    if (found !== undefined) Object.assign(world, await openWorld({ location: found, folder, openDriver }))
  })
  afterAll(() => world.close?.())
  beforeEach((context) => {
    if (location() === undefined) context.skip(`${name} is not available here`)
  })

  describe("sessions", () => sessionSuite(world))
  describe("calls", () => callSuite(world))
  describe("turns", () => turnSuite(world))
  describe("forks", () => forkSuite(world))
  describe("undo", () => undoSuite(world))
  describe("ownership", () => ownershipSuite(world))
  describe("verify", () => verifySuite(world))
  describe("export and import", () => exportSuite(world))
  describe("schema", () => schemaSuite(world))
})
