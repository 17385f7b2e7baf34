import type { CallSession } from "@haft/runtime"
import type { ServerHost } from "@haft/server"
import { namesOf } from "../../config/setting.js"
import { packageVersion } from "../version.js"
import { chatOf } from "./chat.js"
import { machineHost } from "./machine-host.js"
import { rulesHost } from "./rules-host.js"
import { sessionsHost } from "./sessions-host.js"
import { toolsHost } from "./tools-host.js"
import type { ServeWorld } from "./world.js"

/** Everything that a server needs, from one set-up of the command line. */
export function serverHost(world: ServeWorld, sessions: () => readonly CallSession[]): ServerHost {
  return {
    async workspace() {
      const { roots, directory, configuration } = world.setup
      const { values, folders } = configuration
      const language = values.get("language")
      return {
        version: packageVersion(),
        pid: process.pid,
        startedAt: world.startedAt,
        ...{ roots, directory, demo: world.isDemo },
        toolset: world.limitedTo ?? namesOf(values.get("toolset")).join(","),
        mode: values.get("mode"),
        sandbox: values.get("sandbox"),
        ...(language !== undefined && { language }),
        trust: folders.map(({ root, trust }) => ({ folder: root, state: trust })),
        chat: chatOf(world).state,
      }
    },
    journal: () => world.haft.store(),
    sessions: sessionsHost(world),
    tools: toolsHost(world),
    rules: rulesHost(world, sessions),
    machine: machineHost(world),
  }
}
