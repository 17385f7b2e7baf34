// npm start: builds what is needed and serves the workbench; npm start -- --root DIR serves that folder.
import { spawn, spawnSync } from "node:child_process"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..")
const given = process.argv.slice(2)

const built = spawnSync(process.execPath, [join(root, "scripts/build.mjs")], { cwd: root, stdio: ["ignore", 2, 2] })
if (built.status !== 0) process.exit(built.status ?? 1)

// Without a folder of the user's own, a small project that comes with Haft is served.
const where = given.some((word) => word === "--root" || word.startsWith("--root=")) ? [] : ["--demo"]
const command = [join(root, "packages/haft/bin/haft.cjs"), "serve", ...where, ...given]
const server = spawn(process.execPath, command, { cwd: process.env.INIT_CWD ?? root, stdio: "inherit" })
// Ctrl-C reaches the server by itself; what ends this process ends the server too.
process.on("SIGINT", () => undefined)
process.on("SIGTERM", () => server.kill("SIGTERM"))
server.on("exit", (code, signal) => process.exit(code ?? (signal === null ? 1 : 130)))
