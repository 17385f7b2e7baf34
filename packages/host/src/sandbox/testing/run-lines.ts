import { execFileSync } from "node:child_process"
import { readdirSync } from "node:fs"
import type { BackendName } from "../backend.js"
import { makeSandboxBench } from "./sandbox-bench.js"

// Runs lines of bash in sandboxes and prints what became of them; bundled and started as another user by a test. Behind
// the name of the backend and a colon a quota may follow: then nothing but home and /tmp can be written.
const [first = "", ...lines] = process.argv.slice(2)
const [backend, homeBytes] = first.split(":")
const limits = homeBytes === undefined ? {} : { limits: { homeBytes: Number(homeBytes) } }
const profile = homeBytes === undefined ? {} : { profile: "read-only" as const }
const bench = await makeSandboxBench({ backend: backend as BackendName, ...limits })
const results = []
for (const line of lines) {
  const denies = (kind: string, path: string) => kind === "fs.read" && path.endsWith("/.env")
  const sandbox = { approved: [".env", "sub/.env", "other/.env"], ...profile }
  const { code, stdout, stderr, failure, quarantined, note, ...ended } = await bench.run(line, { denies, sandbox })
  results.push({ code, stdout, stderr, failure, quarantined, note, isolation: ended.sandbox.isolation })
}
const left = readdirSync(bench.root)
// What lines have closed could not be removed.
execFileSync("chmod", ["-R", "u+rwX", bench.root])
await bench.close()
console.log(JSON.stringify({ results, left, root: bench.root }))
