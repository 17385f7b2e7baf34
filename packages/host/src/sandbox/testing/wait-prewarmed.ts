import { rmSync } from "node:fs"
import type { BackendName } from "../backend.js"
import { makePrewarmBench, waiters } from "./prewarm-bench.js"

// A program that has a sandbox started ahead, says so and then waits to be killed.
const bench = await makePrewarmBench({ backend: process.argv[2] as BackendName })
await bench.warmUp()
rmSync(bench.base, { recursive: true, force: true })
console.log(JSON.stringify(waiters()))
setInterval(() => undefined, 1000)
