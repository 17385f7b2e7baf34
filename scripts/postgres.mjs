// A temporary PostgreSQL server for the tests of the journal: a new cluster in a temporary folder, reachable only
// through a socket in that folder, gone when it is stopped.
import { execFile, spawn } from "node:child_process"
import { access, chmod, chown, constants, mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { promisify } from "node:util"

const run = promisify(execFile)

/** Starts a temporary server, or resolves to undefined after it has printed why it could not. */
export async function startPostgres() {
  try {
    const programs = (await findPrograms()) ?? (await installPrograms())
    return await startCluster(programs)
  } catch (error) {
    console.error(`PostgreSQL is left out: ${error instanceof Error ? error.message : error}`)
    return undefined
  }
}

/** The folder that holds initdb and postgres. Debian keeps them outside PATH, one folder a version. */
async function findPrograms() {
  const versions = await readdir("/usr/lib/postgresql").catch(() => [])
  const newestFirst = versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => `/usr/lib/postgresql/${version}/bin`)
  for (const folder of [...newestFirst, ...(process.env.PATH ?? "").split(delimiter)]) {
    if (folder !== "" && (await isProgram(join(folder, "initdb"))) && (await isProgram(join(folder, "postgres"))))
      return folder
  }
  return undefined
}

async function isProgram(path) {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

async function installPrograms() {
  if (process.getuid?.() !== 0 || !(await isProgram("/usr/bin/apt-get"))) {
    throw new Error("its programs are not installed, and only root on a Debian system may install them here")
  }
  console.error("Installing postgresql with apt-get")
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" }
  const install = ["install", "-y", "-qq", "--no-install-recommends", "postgresql"]
  await run("apt-get", install, { env }).catch(async () => {
    // The list of packages may be too old to find it.
    await run("apt-get", ["update", "-qq"], { env })
    await run("apt-get", install, { env })
  })
  const programs = await findPrograms()
  if (!programs) throw new Error("apt-get installed it, but initdb is still missing")
  return programs
}

async function startCluster(programs) {
  const identity = await serverIdentity()
  // Short, because the path of a socket holds about 100 characters.
  const folder = await mkdtemp(join(tmpdir(), "haft-pg-"))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    await chmod(folder, 0o700)
    if (identity.uid !== undefined) await chown(folder, identity.uid, identity.gid)
    const data = join(folder, "data")
    const options = { ...identity, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" } }
    await run(
      join(programs, "initdb"),
      ["-D", data, "-U", "haft", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"],
      options,
    )
    // No flush to disk: what these tests ask of the server does not include a power cut.
    const settings = ["listen_addresses=", `unix_socket_directories=${folder}`, "fsync=off", "max_connections=60"]
    const server = spawn(join(programs, "postgres"), ["-D", data, ...settings.flatMap((setting) => ["-c", setting])], {
      ...options,
      stdio: ["ignore", "ignore", "pipe"],
    })
    const ended = new Promise((resolve) => server.once("exit", resolve))
    const killAtExit = () => server.kill("SIGQUIT")
    process.once("exit", killAtExit)
    await ready(server)
    return {
      url: `postgres://haft@localhost/postgres?host=${encodeURIComponent(folder)}`,
      async stop() {
        process.off("exit", killAtExit)
        server.kill("SIGINT")
        const late = setTimeout(() => server.kill("SIGQUIT"), 10_000)
        await ended
        clearTimeout(late)
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}

/** The server refuses to run as root, so root starts it as another user. */
async function serverIdentity() {
  if (process.getuid?.() !== 0) return {}
  for (const user of ["postgres", "nobody"]) {
    const ids = await Promise.all([run("id", ["-u", user]), run("id", ["-g", user])]).catch(() => undefined)
    if (ids) return { uid: Number(ids[0].stdout), gid: Number(ids[1].stdout) }
  }
  throw new Error("it does not run as root, and there is no user postgres or nobody")
}

function ready(server) {
  return new Promise((resolve, reject) => {
    let log = ""
    const late = setTimeout(() => fail("it was not ready within 60 s"), 60_000)
    server.stderr.setEncoding("utf8").on("data", (chunk) => {
      // Read to the end of its life: a full pipe would stop the server.
      if (log.length < 20_000) log += chunk
      if (log.includes("ready to accept connections")) {
        clearTimeout(late)
        resolve()
      }
    })
    server.once("error", (error) => fail(error.message))
    server.once("exit", (code) => fail(`it ended with code ${code}`))

    function fail(reason) {
      clearTimeout(late)
      server.kill("SIGQUIT")
      reject(new Error(`${reason}\n${log.slice(-2000)}`))
    }
  })
}
