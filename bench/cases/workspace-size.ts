import { execFile } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import type { BenchCase, Reading } from "../bench-case.js"
import { median, timeOnce } from "../measure.js"
import { mustSucceed } from "../must-succeed.js"
import { allowing } from "../no-op-tool.js"
import { runRaw } from "../raw/run-raw.js"
import { minimalSandbox } from "../raw/sandbox-arguments.js"
import { withoutBubblewrap } from "../without-bubblewrap.js"
import type { World } from "../world.js"

const calls = 50

/** Whether what a command costs depends on how much there is in the workspace. */
export const workspaceSize: BenchCase = {
  name: "workspace-size",
  limits: {
    "read 10k": { atMost: 1.3, unit: "x", what: "bash true, calls 2 to 50, with 10,000 files / with 10" },
    "read 50k": { atMost: 1.3, unit: "x", what: "bash true, calls 2 to 50, with 50,000 files / with 10" },
    "read 150k": { atMost: 1.3, unit: "x", what: "bash true, calls 2 to 50, with 150,000 files / with 10" },
    "read packages": { atMost: 1.3, unit: "x", what: "bash true, calls 2 to 50, node_modules of 150,000 files / none" },
    "write 10k": { atMost: 1.6, unit: "x", what: "bash echo > file, calls 2 to 50, with 10,000 files / with 10" },
    "write 50k": { atMost: 1.6, unit: "x", what: "bash echo > file, calls 2 to 50, with 50,000 files / with 10" },
    "write 150k": { atMost: 1.6, unit: "x", what: "bash echo > file, calls 2 to 50, with 150,000 files / with 10" },
    "write packages": {
      atMost: 1.6,
      unit: "x",
      what: "bash echo > file, calls 2 to 50, node_modules of 150,000 files / none",
    },
    "read raw": { atMost: 5, unit: "x", what: "bash true with 150,000 files / a minimal bwrap" },
    "first read": {
      atMost: 1.5,
      unit: "x",
      what: "first bash true of a session, what 150,000 files add / one find of the tree",
    },
    "first write": {
      atMost: 1.5,
      unit: "x",
      what: "first bash echo > file, what 150,000 files add / one find with times and sizes",
    },
  },
  skip: withoutBubblewrap,
  async run(world) {
    const middle = await measured(world, 10_000)
    const large = await measured(world, 50_000)
    const largest = await measured(world, 150_000)
    const packages = await measured(world, 150_000, "node_modules")
    const ratio = (oursMs: number, rawMs: number): Reading => ({ value: oursMs / rawMs, oursMs, rawMs })
    const later = ({ own, small }: Pair): Reading => ratio(own.laterMs, small.laterMs)
    const first = ({ own, small }: Pair, findMs: number) => ratio(own.firstMs - small.firstMs, findMs)
    return {
      "read 10k": later(middle.read),
      "read 50k": later(large.read),
      "read 150k": later(largest.read),
      "read packages": later(packages.read),
      "write 10k": later(middle.write),
      "write 50k": later(large.write),
      "write 150k": later(largest.write),
      "write packages": later(packages.write),
      "read raw": ratio(largest.read.own.laterMs, largest.read.rawMs),
      "first read": first(largest.read, largest.findMs),
      "first write": first(largest.write, largest.findAllMs),
    }
  },
}

interface Times {
  readonly firstMs: number
  readonly laterMs: number
}

/** A workspace beside one of ten files, whose commands were run in turns with its own. */
interface Pair {
  readonly own: Times
  readonly small: Times
  readonly rawMs: number
}

async function measured(world: World, files: number, below = "src") {
  const small = await world.folder("size-10")
  fill(join(small, below), 10)
  const root = await world.folder(`size-${files}`)
  fill(join(root, below), files)
  const find = (...how: string[]) =>
    timeOnce({ run: () => promisify(execFile)("find", [root, ...how], { maxBuffer: 1e9 }) })
  const findMs = median([await find(), await find(), await find()])
  const read = await inTurns(world, { root, small }, () => "true # é")
  const findAllMs = median([await find("-printf", all), await find("-printf", all), await find("-printf", all)])
  const write = await inTurns(world, { root, small }, (number) => `echo ${number} > written`)
  return { findMs, findAllMs, read, write }
}

const all = "%p %i %s %T@ %C@ %m\n"

async function inTurns(
  world: World,
  { root, small }: { readonly root: string; readonly small: string },
  line: (number: number) => string,
): Promise<Pair> {
  const contenders = [await contender(world, small, line), await contender(world, root, line)] as const
  const raw: number[] = []
  for (let number = 0; number < calls; number += 1) {
    // Who goes first alternates: the second finds warmer caches.
    for (const { call } of number % 2 === 0 ? contenders : contenders.toReversed()) await call(number)
    raw.push(
      await timeOnce({ run: () => runRaw({ file: "bwrap", args: [...minimalSandbox, "/bin/bash", "-c", "true"] }) }),
    )
  }
  const [smallTimes, own] = [await contenders[0].end(), await contenders[1].end()]
  return { own, small: smallTimes, rawMs: median(raw) }
}

async function contender(world: World, root: string, line: (number: number) => string) {
  const opened = await world.open(root, { rules: allowing("bash") })
  const times: number[] = []
  return {
    async call(number: number): Promise<void> {
      const run = async () => mustSucceed(await opened.session.call("bash", { command: line(number) }))
      times.push(await timeOnce({ run }))
    },
    async end(): Promise<Times> {
      await opened.close()
      return { firstMs: times[0]!, laterMs: median(times.slice(1)) }
    },
  }
}

/** Ten files in a folder, as projects have them. */
function fill(folder: string, files: number): void {
  for (let number = 0; number < files; number += 10) {
    const place = join(
      folder,
      `p${Math.floor(number / 4000)}`,
      `m${Math.floor(number / 200) % 20}`,
      `d${(number / 10) % 20}`,
    )
    mkdirSync(place, { recursive: true })
    for (let one = number; one < Math.min(files, number + 10); one += 1) {
      writeFileSync(join(place, `f${one}.ts`), `export const x${one} = ${one}\n`)
    }
  }
}
