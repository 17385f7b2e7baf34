// The measuring process of run-child.ts: prints one ChildReading as JSON.
import { createHaft } from "haft"
import { startLoopProbe } from "../loop-probe.js"
import { mustSucceed } from "../must-succeed.js"
import { allowing } from "../no-op-tool.js"
import type { ChildReading, ChildTask } from "./run-child.js"

const [tool = "", json = "{}"] = process.argv.slice(2)
const { root, home, request, concurrent = 1 }: ChildTask = JSON.parse(json)
const haft = await createHaft({
  roots: [root],
  home,
  storage: { configHome: `${home}-config`, journal: false },
  person: "headless",
  toolset: "all",
  rules: allowing("bash"),
})
const session = await haft.openSession()
// Loads the code of the tools, which is no part of what a call adds.
await session.call(tool, { ...(request as object), ...small(tool) })

await new Promise((resume) => setTimeout(resume, 50))
const rssBefore = process.memoryUsage.rss()
const probe = startLoopProbe()
const envelopes = await Promise.all(Array.from({ length: concurrent }, () => session.call(tool, request)))
const loopMs = probe.stop()
// The peak since the process began: an upper bound of what this call needed.
const peak = process.resourceUsage().maxRSS * 1024
for (const envelope of envelopes) mustSucceed(envelope)
await haft.close()
const reading: ChildReading = { memoryMb: Math.max(0, peak - rssBefore) / 1_000_000, loopMs, loopP99Ms: probe.p99() }
console.log(JSON.stringify(reading))

function small(name: string): object {
  if (name === "bash") return { command: "true" }
  if (name === "read") return { offset: 0, limit: 1 }
  return { pattern: name === "glob" ? "no-such-file-*" : "no such text at all" }
}
