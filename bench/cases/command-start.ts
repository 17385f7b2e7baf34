import { spawnSync } from "node:child_process"
import { join } from "node:path"
import type { BenchCase } from "../bench-case.js"
import { compare } from "../measure.js"

const todo = JSON.stringify({ todos: [{ content: "measure", status: "pending" }] })

/** How long the built command takes, compared with Node itself. */
export const commandStart: BenchCase = {
  name: "command-start",
  limits: {
    version: { atMost: 1.1, unit: "x", what: "haft --version / node -e 0" },
    call: { atMost: 1.9, unit: "x", what: "haft call todo / node -e 0" },
    tools: { atMost: 1.3, unit: "x", what: "haft tools / node -e 0" },
  },
  async run(world) {
    const built = spawnSync(process.execPath, ["scripts/build.mjs"], { encoding: "utf8" })
    if (built.status !== 0) throw new Error(built.stderr)
    const cwd = await world.folder("command")
    const home = await world.folder("home")
    const command = join(process.cwd(), "packages/haft/bin/haft.cjs")
    const env = { ...process.env, HAFT_HOME: home, XDG_CONFIG_HOME: join(home, "config") }
    const start = (...rest: readonly string[]) => {
      const { status, stderr } = spawnSync(process.execPath, rest, { cwd, env, encoding: "utf8" })
      if (status !== 0) throw new Error(`"${rest.join(" ")}" ended with ${status}: ${stderr}`)
    }
    const against = (...rest: readonly string[]) =>
      compare({ run: () => start(command, ...rest) }, { run: () => start("-e", "0") }, { rounds: 25, warmUp: 3 })
    return {
      version: await against("--version"),
      call: await against("call", "todo", "--args", todo, "--json"),
      tools: await against("tools"),
    }
  },
}
