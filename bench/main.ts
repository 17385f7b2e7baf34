// npm run bench [-- --only NAME] [-- --json FILE]: measures the speed table and exits with 7 when a row is over its limit.
import { writeFile } from "node:fs/promises"
import { cpus } from "node:os"
import { parseArgs } from "node:util"
import { cases } from "./cases.js"
import { formatRow, type Row, rowsOf, unmeasured } from "./report.js"
import { createWorld } from "./world.js"

const { values } = parseArgs({ options: { json: { type: "string" }, only: { type: "string", multiple: true } } })
const chosen = cases.filter(({ name }) => !values.only || values.only.includes(name))
if (chosen.length === 0) {
  console.error(`Cannot run "${values.only?.join(", ")}": the cases are ${cases.map(({ name }) => name).join(", ")}`)
  process.exit(2)
}

const started = performance.now()
const rows: Row[] = []
let skipped = 0
const { world, remove } = await createWorld()
process.once("SIGINT", () => void remove().finally(() => process.exit(130)))
try {
  for (const benchCase of chosen) {
    const reason = await benchCase.skip?.()
    if (reason !== undefined) {
      skipped += 1
      console.log(`skip  ${benchCase.name}: ${reason}`)
      continue
    }
    const measured = await benchCase.run(world).then(
      (readings) => rowsOf(benchCase, readings),
      (error: Error) => unmeasured(benchCase, error),
    )
    rows.push(...measured)
    for (const row of measured) console.log(formatRow(row))
  }
} finally {
  await remove()
}

const failed = rows.filter(({ passed }) => !passed)
console.log(
  [
    `${rows.length - failed.length} of ${rows.length} within their limits`,
    ...(skipped > 0 ? [`${skipped} cases skipped`] : []),
    `${((performance.now() - started) / 1000).toFixed(0)} s`,
  ].join(", "),
)
if (values.json) {
  const machine = { node: process.version, platform: `${process.platform} ${process.arch}`, cores: cpus().length }
  await writeFile(values.json, `${JSON.stringify({ at: new Date().toISOString(), machine, rows }, null, 2)}\n`)
}
process.exitCode = failed.length > 0 ? 7 : 0
