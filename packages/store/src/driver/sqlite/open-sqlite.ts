import { randomBytes } from "node:crypto"
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs"
import { dirname, join, resolve } from "node:path"
import { ToolError } from "@haft/contract"
import type Database from "libsql"
import type { Driver } from "../driver.js"
import { explain } from "./explain.js"
import { retryWhileBusy, sqliteDriver } from "./sqlite-driver.js"
import { WriteAheadLog } from "./write-ahead-log.js"

/**
 * Opens a journal in an SQLite file, which is made, readable by its owner alone, when it does not exist. Stores of one
 * thread share one connection to a file; the last one that closes it ends it.
 */
export async function openSqlite(location: string): Promise<Driver> {
  const file = resolve(location)
  try {
    makePrivate(file)
    const { dev, ino } = statSync(file, { bigint: true })
    return await share(`${dev}:${ino}`, file)
  } catch (error) {
    throw explain(error, "open the journal", file)
  }
}

interface Connection {
  readonly driver: Promise<Driver>
  users: number
}

/** By device and inode: a file has many names, and a name can come to mean another file. */
const connections = new Map<string, Connection>()

async function share(key: string, file: string): Promise<Driver> {
  const connection = connections.get(key) ?? { driver: connect(file), users: 0 }
  connections.set(key, connection)
  connection.users++
  try {
    const driver = await connection.driver
    let closed = false
    return {
      ...driver,
      place: file,
      explain: (error, action) => explain(error, action, file),
      async close() {
        if (closed) return
        closed = true
        if (leave()) await driver.close()
      },
    }
  } catch (error) {
    leave()
    throw error
  }

  /** True for the last user. */
  function leave(): boolean {
    connection.users--
    if (connection.users > 0) return false
    if (connections.get(key) === connection) connections.delete(key)
    return true
  }
}

async function connect(file: string): Promise<Driver> {
  // The native library takes 20-35 ms to load; a program without a journal does not pay for it.
  const { default: Libsql } = await import("libsql")
  const database = new Libsql(file)
  try {
    const isLogged = await configure(database)
    return sqliteDriver(database, file, isLogged ? new WriteAheadLog(realpathSync(file)) : undefined)
  } catch (error) {
    database.close()
    throw error
  }
}

/** Whether the database has a write-ahead log; a file system without shared memory cannot have one. */
async function configure(database: Database.Database): Promise<boolean> {
  database.pragma("busy_timeout = 50")
  // The switch to WAL needs the file alone for a moment.
  const [answer] = await retryWhileBusy(() => database.pragma("journal_mode = WAL") as { journal_mode: string }[])
  const isLogged = answer?.journal_mode === "wal"
  database.pragma(`synchronous = ${isLogged ? "NORMAL" : "FULL"}`)
  database.pragma("foreign_keys = ON")
  // Reads the header and the schema: a damaged file is found here and not in the middle of a call.
  await retryWhileBusy(() => database.prepare("select count(*) from sqlite_schema").all())
  return isLogged
}

/**
 * SQLite gives -wal and -shm the mode of the file, so the file gets its mode before SQLite sees it. No descriptor is
 * opened on the file itself: closing one drops every POSIX lock that SQLite holds on it in this process, and then
 * another process deletes the write-ahead log under it.
 */
function makePrivate(file: string): void {
  const folder = dirname(file)
  const made = mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (made !== undefined) chmodSync(folder, 0o700)
  if (!existsSync(file)) createPrivate(file)
  // A folder would lose what makes it one: without the right to enter it nobody reaches what is in there.
  if (!statSync(file).isFile()) {
    const hint = `Name a file, for instance "${join(file, "journal.db")}"`
    throw new ToolError("invalid_args", `Cannot open the journal "${file}": it is not a file`, { hint })
  }
  for (const part of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(part)) chmodSync(part, 0o600)
}

/** Creates an empty file under another name and links it into place, unless somebody was faster. */
function createPrivate(file: string): void {
  const draft = `${file}.${process.pid}-${randomBytes(6).toString("hex")}`
  closeSync(openSync(draft, "wx", 0o600))
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  } finally {
    rmSync(draft)
  }
}
