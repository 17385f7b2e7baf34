import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import type { SessionEvent } from "@haft/contract"
import type { HaftOptions, McpServerOptions } from "../src/library/options.js"
import { libraryWorld } from "./library-world.js"

const here = dirname(fileURLToPath(import.meta.url))

/** Where the packages of this repository are installed; servers read their code from there. */
export const modules = resolve(here, "../../../node_modules")

/** A real server from the registry, confined like any other. */
export function realServer(
  name: string,
  args: readonly string[] = [],
  options: McpServerOptions = {},
): McpServerOptions {
  const script = join(modules, "@modelcontextprotocol", name, "dist", "index.js")
  return { command: "node", args: [script, ...args], readable: [modules], trusted: true, ...options }
}

/** A server of the folder `mcp-servers`, which does what its mode says. */
export function fakeServer(mode: string, options: McpServerOptions = {}): McpServerOptions {
  const folder = join(here, "mcp-servers")
  return {
    command: "node",
    args: [join(folder, "fake-server.mjs"), mode],
    readable: [folder],
    trusted: true,
    ...options,
  }
}

/** A session with these servers, in a workspace with these files. */
export async function openWithServers(
  mcpServers: Readonly<Record<string, McpServerOptions>>,
  options: HaftOptions & { readonly files?: Readonly<Record<string, string>> } = {},
) {
  const { files = {}, ...rest } = options
  const world = await libraryWorld(files)
  const events: SessionEvent[] = []
  const hooks = { onEvent: (event: SessionEvent) => void events.push(event) }
  const haft = await world.haft({ toolset: "locked", mcpServers, ...rest, hooks: { ...hooks, ...rest.hooks } })
  const session = await haft.openSession()
  return {
    world,
    haft,
    session,
    events,
    /** The messages of the errors that were reported as events. */
    errors: () => events.flatMap((event) => (event.type === "error" ? [event.message] : [])),
    [Symbol.asyncDispose]: () => world.remove(),
  }
}
