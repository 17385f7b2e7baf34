import { execFileSync } from "node:child_process"
import type { BackendName } from "../../../sandbox/backend.js"
import { openObservedSession } from "./observed-session.js"

// Runs lines of bash one after the other in one session and prints what became of them; bundled and started as another user
// by a test. Lines that begin with "job " are jobs, those with "repl " for a shell that lives on, those with "host " run
// outside of every sandbox and get the workspace as an argument.
const [backend, ...lines] = process.argv.slice(2)
const session = await openObservedSession(backend as BackendName)
const results = []
for (const line of lines) {
  const [, kind, text] = /^(job|host|repl)? ?(.*)$/s.exec(line)!
  try {
    if (kind === "host")
      results.push(execFileSync("bash", ["-c", text!, "bash", session.root], { cwd: "/", encoding: "utf8" }))
    else if (kind === "job") results.push(await session.runJob(text!))
    else if (kind === "repl") results.push(await session.evaluate(text!))
    else results.push(await session.run(text!))
  } catch (error) {
    results.push({ error: (error as Error).message })
  }
}
execFileSync("chmod", ["-R", "u+rwX", session.root])
await session.close()
console.log(JSON.stringify(results))
