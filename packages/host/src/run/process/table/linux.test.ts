import { spawn } from "node:child_process"
import { once } from "node:events"
import { expect, test } from "vitest"
import { linuxTable } from "./linux.js"

test.skipIf(process.platform !== "linux")("a process with many threads is seen once", async () => {
  const sinceMs = performance.now()
  const variable = `HAFT_THREADS=${process.pid}`
  const [name, value] = variable.split("=")
  const child = spawn(process.execPath, ["-e", "console.log(1); setInterval(() => {}, 1000)"], {
    env: { [name!]: value },
    stdio: ["ignore", "pipe", "ignore"],
  })
  await once(child.stdout, "data")
  const seen = [...(await linuxTable.tagged({ root: child.pid! - 1, variable, sinceMs }))]
  child.kill("SIGKILL")
  expect(seen.map(({ pid }) => pid)).toEqual([child.pid])
})
