import type { BenchCase } from "../bench-case.js"
import { compare } from "../measure.js"
import { mustSucceed } from "../must-succeed.js"
import { allowing } from "../no-op-tool.js"
import { runRaw } from "../raw/run-raw.js"
import { minimalWall, openWall, type WalledProgram } from "../raw/wall-arguments.js"
import { withoutBubblewrap } from "../without-bubblewrap.js"

const argv = ["/bin/bash", "-c", "true"]
const rounds = 40

/** What the sandbox and everything around it add to a command. */
export const confinedCommand: BenchCase = {
  name: "confined-command",
  limits: {
    call: { atMost: 1.25, unit: "x", what: "bash true, confined / bwrap spawned raw with the same arguments" },
    policy: { atMost: 1.7, unit: "x", what: "bwrap with the arguments of the default policy / a minimal bwrap" },
  },
  skip: withoutBubblewrap,
  async run(world) {
    const root = await world.folder("confined")
    const opened = await world.open(root, { rules: allowing("bash") })
    const wall = await openWall(root, await world.folder("wall"))
    const walled = {
      prepare: () => wall.prepare(argv),
      run: async ({ program }: WalledProgram) => mustExit(await runRaw(program)),
      dispose: ({ release }: WalledProgram) => release(),
    }
    const call = await compare<void, WalledProgram>(
      { run: async () => mustSucceed(await opened.session.call("bash", { command: "true" })) },
      walled,
      { rounds },
    )
    const policy = await compare<WalledProgram>(
      walled,
      { run: async () => mustExit(await runRaw({ file: "bwrap", args: [...minimalWall, ...argv] })) },
      { rounds },
    )
    await wall.close()
    await opened.close()
    return { call, policy }
  },
}

function mustExit({ code }: { readonly code: number | null }): void {
  if (code !== 0) throw new Error(`bwrap ended with ${code}`)
}
