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
    const small = await measured(world, 10)
    const middle = await measured(world, 10_000)
    const large = await measured(world, 50_000)
    const largest = await measured(world, 150_000)
    const packages = await measured(world, 150_000, "node_modules")
    const ratio = (oursMs: number, rawMs: number): Reading => ({ value: oursMs / rawMs, oursMs, rawMs })
    return {
      "read 10k": ratio(middle.readMs, small.readMs),
      "read 50k": ratio(large.readMs, small.readMs),
      "read 150k": ratio(largest.readMs, small.readMs),
      "read packages": ratio(packages.readMs, small.readMs),
      "write 10k": ratio(middle.writeMs, small.writeMs),
      "write 50k": ratio(large.writeMs, small.writeMs),
      "write 150k": ratio(largest.writeMs, small.writeMs),
      "write packages": ratio(packages.writeMs, small.writeMs),
      "read raw": ratio(largest.readMs, largest.rawMs),
      "first read": ratio(largest.firstReadMs - small.firstReadMs, largest.findMs),
      "first write": ratio(largest.firstWriteMs - small.firstWriteMs, largest.findAllMs),
    }
  },
}

async function measured(world: World, files: number, below = "src") {
  const root = await world.folder(`size-${files}`)
  fill(join(root, below), files)
  const find = (...how: string[]) =>
    timeOnce({ run: () => promisify(execFile)("find", [root, ...how], { maxBuffer: 1e9 }) })
  const findMs = median([await find(), await find(), await find()])
  const findAllMs = median([await find("-printf", all), await find("-printf", all), await find("-printf", all)])
  const read = await inOneSession(world, root, () => "true # é")
  const write = await inOneSession(world, root, (number) => `echo ${number} > written`)
  return {
    ...{ findMs, findAllMs, readMs: read.laterMs, firstReadMs: read.firstMs, rawMs: read.rawMs },
    ...{ writeMs: write.laterMs, firstWriteMs: write.firstMs },
  }
}

const all = "%p %i %s %T@ %C@ %m\n"

async function inOneSession(world: World, root: string, line: (number: number) => string) {
  const opened = await world.open(root, { rules: allowing("bash") })
  const times: number[] = []
  const raw: number[] = []
  for (let number = 0; number < calls; number += 1) {
    const run = async () => mustSucceed(await opened.session.call("bash", { command: line(number) }))
    times.push(await timeOnce({ run }))
    raw.push(
      await timeOnce({ run: () => runRaw({ file: "bwrap", args: [...minimalSandbox, "/bin/bash", "-c", "true"] }) }),
    )
  }
  await opened.close()
  return { firstMs: times[0]!, laterMs: median(times.slice(1)), rawMs: median(raw) }
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
