import { statSync } from "node:fs"
import { rm } from "node:fs/promises"
import type { BenchCase } from "../bench-case.js"
import { runChild } from "../child/run-child.js"
import { compare, median } from "../measure.js"
import { mustSucceed } from "../must-succeed.js"
import { allowing } from "../no-op-tool.js"
import { openKeeping } from "../raw/keep-all-output.js"
import { runRaw } from "../raw/run-raw.js"
import { withoutBubblewrap } from "../without-bubblewrap.js"

const mebibytes = Number(process.env.HAFT_BENCH_OUTPUT_MIB ?? 1024)
const bytes = mebibytes * 1024 * 1024
// A program that prints faster than anybody reads, so that reading is what is measured.
const command = `yes "a line of ordinary length, as a verbose build prints them" | head -c ${bytes}`
const what = `${mebibytes} MiB of output (HAFT_BENCH_OUTPUT_MIB)`

/** A command that prints without end. */
export const commandOutput: BenchCase = {
  name: "command-output",
  limits: {
    time: { atMost: 1.2, unit: "x", what: `${what} / a spawn that counts bytes` },
    kept: { atMost: 2.5, unit: "x", what: "the same with all of it kept in a file / the same spawn" },
    sidecar: { atMost: 69, unit: "MB", what: "size of its file, which is capped at 64 MiB and the last MiB" },
    memory: { atMost: 48, unit: "MB", what: "memory that it adds" },
    loop: { atMost: 20, unit: "ms", what: "lag of the loop meanwhile, p99" },
  },
  skip: withoutBubblewrap,
  async run(world) {
    const root = await world.folder("output")
    const opened = await world.open(root, { rules: allowing("bash") })
    let sidecar = Number.NaN
    const counting = {
      run: async () => mustCount(await runRaw({ file: "/bin/bash", args: ["-c", command], cwd: root })),
    }
    const time = await compare(
      {
        run: async () => {
          const envelope = await opened.session.call("bash", { command })
          const data = mustSucceed(envelope)
          if (data.exit_code !== 0) throw new Error(`the command ended with ${data.exit_code}`)
          sidecar = statSync(envelope.metadata.output_path!).size / 1_000_000
        },
      },
      counting,
      { rounds: 3, warmUp: 1 },
    )
    await opened.close()
    const keeping = await openKeeping(root, await world.folder("keeping"))
    let keptPath: string | undefined
    const kept = await compare(
      {
        run: async () => {
          const file = await keeping.run(command)
          mustCount(file)
          keptPath = file.path
        },
        dispose: () => rm(keptPath!, { force: true }),
      },
      counting,
      { rounds: 3, warmUp: 1 },
    )
    await keeping.close()
    const readings = []
    for (let round = 0; round < 3; round++) {
      readings.push(await runChild("bash", { root, home: await world.folder("home"), request: { command } }))
    }
    return {
      time,
      kept,
      sidecar: { value: sidecar },
      memory: { value: median(readings.map(({ memoryMb }) => memoryMb)) },
      loop: { value: median(readings.map(({ loopP99Ms }) => loopP99Ms)) },
    }
  },
}

function mustCount(end: { readonly bytes: number }): void {
  if (end.bytes !== bytes) throw new Error(`the spawn counted ${end.bytes} bytes`)
}
