import type { BenchCase } from "../bench-case.js"
import { compare } from "../measure.js"
import { mustSucceed } from "../must-succeed.js"
import { allowing } from "../no-op-tool.js"
import { runRaw } from "../raw/run-raw.js"

/** What a command costs besides the sandbox. */
export const unconfinedCommand: BenchCase = {
  name: "unconfined-command",
  limits: { call: { atMost: 1.2, unit: "x", what: "bash true, sandbox off / bash -c true" } },
  async run(world) {
    const root = await world.folder("unconfined")
    const opened = await world.open(root, { rules: allowing("bash"), sandbox: { policy: "off" } })
    const call = await compare(
      { run: async () => mustSucceed(await opened.session.call("bash", { command: "true" })) },
      { run: () => runRaw({ file: "/bin/bash", args: ["-c", "true"], cwd: root }) },
      // A session that stays has compiled by then what a command runs through.
      { rounds: 100, warmUp: 300 },
    )
    await opened.close()
    return { call }
  },
}
