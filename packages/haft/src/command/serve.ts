import { existsSync } from "node:fs"
import { join } from "node:path"
import { type SessionEvent, ToolError } from "@haft/contract"
import { visibleLine } from "@haft/guard"
import { checkToken, Inbox, newToken, type RunningServer, type ServeOptions, serve } from "@haft/server"
import { findPlaces } from "../config/places.js"
import { readTextFile } from "../config/read-text-file.js"
import type { Run } from "./command.js"
import { exitCodes } from "./exit-code.js"
import type { Invocation } from "./invocation.js"
import { type Io, managedFile } from "./io.js"
import { openHaft } from "./open-haft.js"
import { packagePath } from "./package-folder.js"
import { note, printValue } from "./print.js"
import { makeDemo } from "./serve/demo-workspace.js"
import { openInBrowser } from "./serve/open-in-browser.js"
import { announce, portTaken } from "./serve/running-server.js"
import { serverHost } from "./serve/server-host.js"
import { ServeWorld } from "./serve/world.js"
import { packageVersion } from "./version.js"

/** `haft serve`: the workbench and the HTTP API for one user on this machine, until Ctrl-C. */
export const run: Run = async (invocation, io) => {
  const port = portOf(invocation.text("port"))
  const token = tokenOf(invocation.text("token"), io)
  const named = await withDemo(invocation, io)
  const { server, world } = await startServer(named, io, { port, token })
  const leave = announce(world.setup, server.port)
  try {
    const { url } = server
    printValue(invocation, io, { url, port: server.port }, () => url)
    const where = world.setup.roots.map((root) => visibleLine(root)).join(", ")
    note(invocation, io, `Haft serves ${where}. Open the address above; it holds the key. Ctrl-C ends.`)
    const forget = invocation.flag("open") ? openInBrowser(url, world.setup.places.home) : () => undefined
    await ended(io)
    forget()
    return exitCodes.ok
  } finally {
    leave()
    await server.close()
    await world.close()
  }
}

/** Starts the server over one Haft; a port that is taken says by whom. */
export async function startServer(
  invocation: Invocation,
  io: Io,
  { port, token, limits }: Pick<ServeOptions, "port" | "token" | "limits">,
): Promise<{ readonly server: RunningServer; readonly world: ServeWorld }> {
  const inbox = new Inbox()
  let server: RunningServer | undefined
  const { haft, setup } = await openHaft(invocation, io, {
    touchesFiles: true,
    forAgent: true,
    person: invocation.flag("headless") ? "headless" : inbox,
    onEvent: (event: SessionEvent) => server?.hear(event),
  })
  const world = new ServeWorld({ invocation, io, haft, setup, isDemo: invocation.flag("demo") })
  try {
    const host = serverHost(world, () => server?.sessions.list().map(({ session }) => session) ?? [])
    server = await serve({ host, inbox, port, token, version: packageVersion(), page: pageFolder(), limits })
    return { server, world }
  } catch (error) {
    await world.close()
    throw ToolError.is(error) && error.code === "conflict" ? await portTaken(setup, port, io.env) : error
  }
}

const usualPort = 4177

function portOf(text: string | undefined): number {
  const port = text === undefined ? usualPort : /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65_535) return port
  throw new ToolError("invalid_args", `Cannot use "${text}" for "--port": it must be a number up to 65535`)
}

/** Other users of a machine see the words of a command line, and not what is in a file. */
function tokenOf(text: string | undefined, io: Io): string {
  if (text === undefined) return newToken()
  if (!text.startsWith("@")) return checkToken(text)
  const content = readTextFile(join(io.cwd, text.slice(1)))
  if (content !== undefined) return checkToken(content.trim())
  throw new ToolError("not_found", `Cannot read the token from "${text.slice(1)}": there is no such file`)
}

async function withDemo(invocation: Invocation, io: Io): Promise<Invocation> {
  if (!invocation.flag("demo")) return invocation
  if (invocation.list("root").length > 0) {
    throw new ToolError("invalid_args", 'Cannot use "--demo" with "--root": choose one of them')
  }
  const places = findPlaces(io.env, io.cwd, io.managedFile ?? managedFile)
  const folder = await makeDemo(places, { name: "workspace" })
  return { ...invocation, list: (name) => (name === "root" ? [folder] : invocation.list(name)) }
}

/** Beside the command where it is installed; in the package of the page where it is developed. */
function pageFolder(): string {
  return existsSync(packagePath("src")) ? packagePath("..", "workbench", "dist") : packagePath("dist", "page")
}

function ended({ signal }: Io): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve()
    else signal?.addEventListener("abort", () => resolve(), { once: true })
  })
}
