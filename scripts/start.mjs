// npm start: builds what is needed, prints the catalogue and how to call a tool.
import { spawnSync } from "node:child_process"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..")

run("scripts/build.mjs")
console.log("\nTools:\n")
run("packages/haft/bin/haft.cjs", "tools")
console.log(`
Call one:           npx haft call grep pattern=TODO
as one JSON value:  npx haft call grep pattern=TODO --json
See why it may:     npx haft explain write file_path=x.ts content=y
Know one better:    npx haft tools grep
Everything else:    npx haft --help`)

function run(...rest) {
  const { status } = spawnSync(
    process.execPath,
    rest.map((part, index) => (index === 0 ? join(root, part) : part)),
    { cwd: root, stdio: "inherit" },
  )
  if (status !== 0) process.exit(status ?? 1)
}
