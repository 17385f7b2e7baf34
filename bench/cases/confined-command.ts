import { setTimeout as pause } from "node:timers/promises"
import type { BenchCase } from "../bench-case.js"
import { compare } from "../measure.js"
import { mustSucceed } from "../must-succeed.js"
import { allowing } from "../no-op-tool.js"
import { runRaw } from "../raw/run-raw.js"
import { minimalSandbox, openSandbox, type SandboxedProgram } from "../raw/sandbox-arguments.js"
import { withoutBubblewrap } from "../without-bubblewrap.js"

const argv = ["/bin/bash", "-c", "true"]
const rounds = 40

/** What the sandbox and everything around it add to a command. */
export const confinedCommand: BenchCase = {
  name: "confined-command",
  limits: {
    call: { atMost: 1.25, unit: "x", what: "bash true, confined / bwrap spawned raw with the same arguments" },
    ahead: {
      atMost: 0.6,
      unit: "x",
      what: "bash true in a sandbox that was started ahead / bwrap spawned raw with the same arguments",
    },
    policy: { atMost: 1.7, unit: "x", what: "bwrap with the arguments of the default policy / a minimal bwrap" },
  },
  skip: withoutBubblewrap,
  async run(world) {
    const root = await world.folder("confined")
    const opened = await world.open(root, { rules: allowing("bash") })
    const sandbox = await openSandbox(root, await world.folder("sandbox"))
    const sandboxed = {
      prepare: () => sandbox.prepare(argv),
      run: async ({ program }: SandboxedProgram) => mustExit(await runRaw(program)),
      dispose: ({ release }: SandboxedProgram) => release(),
    }
    const call = async (command: string) => mustSucceed(await opened.session.call("bash", { command }))
    // Only plain text is handed to a sandbox that waits: this one is built while its command is timed, each time.
    // A session that stays has compiled after 150 of them what a command runs through.
    const built = await compare<void, SandboxedProgram>({ run: () => call("true # é") }, sandboxed, {
      rounds,
      warmUp: 150,
    })
    // The pause is longer than a model needs to think. The next sandbox is prewarmed within it, so that its building does
    // not slow down what is timed next.
    const ahead = await compare<void, SandboxedProgram>(
      { run: () => call("true"), dispose: () => pause(150) },
      sandboxed,
      {
        rounds,
      },
    )
    const policy = await compare<SandboxedProgram>(
      sandboxed,
      { run: async () => mustExit(await runRaw({ file: "bwrap", args: [...minimalSandbox, ...argv] })) },
      { rounds },
    )
    await sandbox.close()
    await opened.close()
    return { call: built, ahead, policy }
  },
}

function mustExit({ code }: { readonly code: number | null }): void {
  if (code !== 0) throw new Error(`bwrap ended with ${code}`)
}
