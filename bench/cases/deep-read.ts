import type { BenchCase } from "../bench-case.js"
import { runChild } from "../child/run-child.js"
import { logLine } from "../data/make-log.js"
import { compare, median } from "../measure.js"
import { mustSucceed } from "../must-succeed.js"
import { pipeToHead } from "../raw/pipe-to-head.js"
import type { OpenedSession, World } from "../world.js"

const startLine = 1_000_000
const lines = 2000

/** A window far down in a long log. */
export const deepRead: BenchCase = {
  name: "deep-read",
  limits: {
    first: { atMost: 1.5, unit: "x", what: "2000 lines at line 1,000,000 of 100 MB / tail piped to head" },
    again: { atLeast: 30, unit: "x", what: "the same again: times faster than the first time" },
    memory: { atMost: 16, unit: "MB", what: "memory that the first read adds" },
    loop: { atMost: 10, unit: "ms", what: "longest stand-still of the loop in the first read" },
    lines: { atLeast: lines, unit: "", what: "requested lines that came back" },
  },
  async run(world) {
    const root = await world.log()
    const again: number[] = []
    let returned = Number.POSITIVE_INFINITY
    const first = await compare<OpenedSession>(
      {
        // The line index belongs to a session, so each first read needs a new one.
        prepare: () => world.open(root),
        run: async ({ session }) => {
          returned = Math.min(returned, countRight(mustSucceed(await session.call("read", request))))
        },
        dispose: async (opened) => {
          for (let time = 0; time < 5; time++) again.push(await timeAgain(opened))
          await opened.close()
        },
      },
      { run: () => pipeToHead(`${root}/app.log`, startLine + 1, lines) },
      { rounds: 11, warmUp: 4 },
    )
    const { memory, loop } = await inChild(world, root)
    return {
      first,
      again: { value: first.oursMs! / median(again), oursMs: median(again), rawMs: first.oursMs! },
      memory: { value: memory },
      loop: { value: loop },
      lines: { value: returned },
    }
  },
}

const request = { file_path: "app.log", offset: startLine, limit: lines }

/** Memory and stand-still are seen clearly only in a process that does nothing else. */
async function inChild(world: World, root: string): Promise<{ memory: number; loop: number }> {
  const memory: number[] = []
  const loop: number[] = []
  for (let round = 0; round < 3; round++) {
    const reading = await runChild("read", { root, home: await world.folder("home"), request })
    memory.push(reading.memoryMb)
    loop.push(reading.loopMs)
  }
  return { memory: median(memory), loop: median(loop) }
}

async function timeAgain({ session }: OpenedSession): Promise<number> {
  const started = performance.now()
  mustSucceed(await session.call("read", request))
  return performance.now() - started
}

function countRight({ content }: Record<string, unknown>): number {
  const got = String(content).split("\n")
  return got.filter((line, index) => line === logLine(startLine + index)).length
}
