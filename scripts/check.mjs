// npm run check: format, lint, types, import layers, deterministic turns, unused code, generated files, names, lockfile.
// Every step runs even if another fails; `--only NAME` runs one.
import { runSteps } from "./run-steps.mjs"

const typescript = (...rest) => ["node", "scripts/run-ts.mjs", ...rest]

const steps = [
  { name: "types", command: ["node_modules/.bin/tsc", "-p", "tsconfig.json"] },
  {
    name: "format and lint",
    command: [
      "node_modules/.bin/biome",
      "check",
      "--error-on-warnings",
      "--reporter=concise",
      "--max-diagnostics=100",
      "--colors=off",
    ],
    fix: "npx biome check --write",
  },
  {
    // Which packages may be imported is the business of the import layers; node-pty is loaded by name, MCP servers are started.
    name: "unused code",
    command: ["node_modules/.bin/knip", "--config", "scripts/knip.json", "--no-progress", "--no-config-hints"],
  },
  { name: "generated files", command: typescript("scripts/generate.ts", "--check"), fix: "npm run docs" },
  { name: "import layers", command: typescript("scripts/check-tree.ts", "imports") },
  { name: "deterministic turns", command: typescript("scripts/check-tree.ts", "turns") },
  { name: "file names", command: typescript("scripts/check-tree.ts", "names") },
  { name: "lockfile", command: typescript("scripts/check-tree.ts", "lockfile") },
]

const only = process.argv.indexOf("--only")
const chosen = only < 0 ? steps : steps.filter(({ name }) => name === process.argv[only + 1])
if (chosen.length === 0) {
  console.error(`Cannot run "${process.argv[only + 1]}": the steps are ${steps.map(({ name }) => name).join(", ")}`)
  process.exit(2)
}
process.exitCode = (await runSteps(chosen)) ? 0 : 1
