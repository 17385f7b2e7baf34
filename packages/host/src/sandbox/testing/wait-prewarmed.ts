import { rmSync } from "node:fs"
import type { BackendName } from "../backend.js"
import { makePrewarmBench, waiters } from "./prewarm-bench.js"

// A program that has a sandbox started ahead, says so and then waits to be killed.
const ground = await makePrewarmBench({ backend: process.argv[2] as BackendName })
await ground.warmUp()
rmSync(ground.base, { recursive: true, force: true })
console.log(JSON.stringify(waiters()))
setInterval(() => undefined, 1000)
