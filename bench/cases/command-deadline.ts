import { randomBytes } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import type { SandboxPolicy } from "@haft/contract"
import type { BenchCase } from "../bench-case.js"
import { median } from "../measure.js"
import { mustSucceed } from "../must-succeed.js"
import { allowing } from "../no-op-tool.js"
import { withoutBubblewrap } from "../without-bubblewrap.js"
import type { World } from "../world.js"

const trialsOfEach = 20
const timeout = 100

/** Five kinds of children; `mark` is in each command line of what must not survive. */
const kinds: readonly ((mark: string) => string)[] = [
  (mark) => `sleep 100 ${mark} & sleep 100 ${mark}`,
  (mark) => `(setsid sleep 100 ${mark} &); sleep 100 ${mark}`,
  (mark) => `trap '' TERM HUP INT; while :; do sleep 100 ${mark}; done`,
  (mark) => `yes ${mark} > /dev/null`,
  (mark) => `(nohup bash -c 'sleep 100 ${mark}; sleep 100 ${mark}' > /dev/null 2>&1 &); sleep 100 ${mark}`,
]

/** From the deadline of a command to the end of all that it started. */
export const commandDeadline: BenchCase = {
  name: "command-deadline",
  limits: {
    confined: {
      atMost: 50,
      unit: "ms",
      what: "from the deadline to the tree dead, confined (start of the call included)",
    },
    unconfined: { atMost: 100, unit: "ms", what: "the same with the sandbox off" },
    survivors: {
      atMost: 0,
      unit: "",
      what: `processes alive after ${2 * trialsOfEach * kinds.length} trials of five kinds`,
    },
  },
  skip: withoutBubblewrap,
  async run(world) {
    const confined = await trials(world, "required")
    const unconfined = await trials(world, "off")
    return {
      confined: { value: confined.ms },
      unconfined: { value: unconfined.ms },
      survivors: { value: confined.survivors + unconfined.survivors },
    }
  },
}

async function trials(world: World, policy: SandboxPolicy): Promise<{ ms: number; survivors: number }> {
  const root = await world.folder("deadline")
  const opened = await world.open(root, { rules: allowing("bash"), sandbox: { policy } })
  mustSucceed(await opened.session.call("bash", { command: "true" }))
  const late: number[] = []
  let survivors = 0
  for (let trial = 0; trial < trialsOfEach * kinds.length; trial++) {
    // `sleep` adds up its arguments, so a number serves as a mark.
    const mark = `1${randomBytes(4).readUInt32LE()}`
    const started = performance.now()
    const data = mustSucceed(
      await opened.session.call("bash", { command: kinds[trial % kinds.length]!(mark), timeout }),
    )
    late.push(performance.now() - started - timeout)
    survivors += processesWith(mark)
    if (data.timed_out !== true) throw new Error(`the command ended before its deadline: ${JSON.stringify(data)}`)
  }
  await opened.close()
  return { ms: median(late), survivors }
}

function processesWith(mark: string): number {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name) && commandLine(name).includes(mark)).length
}

function commandLine(id: string): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, "latin1")
  } catch {
    // Ended since it was listed.
    return ""
  }
}
