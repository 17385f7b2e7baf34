import { spawn } from "node:child_process"
import { join } from "node:path"

/** What a child process saw of one call or of many at once. */
export interface ChildReading {
  /** Growth of resident memory at its peak. */
  readonly memoryMb: number
  /** The longest stand-still of the loop, and what 99 of 100 looks did not exceed. */
  readonly loopMs: number
  readonly loopP99Ms: number
}

/** What the child is to do: the tool, its workspace, its state folder, the arguments, and how many calls at once. */
export interface ChildTask {
  readonly root: string
  readonly home: string
  readonly request: unknown
  readonly concurrent?: number
}

/** Measures a call in a process of its own. */
export function runChild(tool: string, task: ChildTask): Promise<ChildReading> {
  return new Promise((resolve, reject) => {
    const script = join(process.cwd(), "scripts/run-ts.mjs")
    const child = spawn(process.execPath, [script, "bench/child/main.ts", tool, JSON.stringify(task)], {
      stdio: ["ignore", "pipe", "inherit"],
    })
    let output = ""
    child.stdout.on("data", (piece) => {
      output += piece
    })
    child.on("error", reject)
    child.on("close", (code) => {
      if (code === 0) resolve(JSON.parse(output))
      else reject(new Error(`the measuring process ended with ${code}`))
    })
  })
}
