// npm run build (also after npm install): definitions, compiled packages, command line, page. Does nothing when nothing changed.
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { withBuildLock } from "./build-lock.mjs"
import { workers } from "./workers.mjs"

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..")
const page = "packages/workbench"

// Each is built again when something that it reads has changed.
const targets = [
  {
    name: "command",
    stamp: "packages/haft/dist/.build-stamp",
    packages: () => packages().filter((folder) => folder !== page),
    outputs: () => [
      ...packages().flatMap((folder) => (folder === page ? [] : [`${folder}/dist/index.js`])),
      ...workers.map(({ folder }) => `${folder}/main.mjs`),
      "packages/haft/dist/cli/main.cjs",
    ],
    steps: [
      { name: "definitions", run: () => command("node", "scripts/run-ts.mjs", "scripts/generate.ts", "--definitions") },
      {
        name: "packages",
        run: () =>
          command(
            "node_modules/.bin/tsc",
            "-b",
            "packages/haft",
            "packages/agent",
            "packages/testkit",
            "packages/faces",
          ),
      },
      { name: "workers", run: () => command("node", "scripts/bundle-worker.mjs") },
      { name: "command line", run: () => command("node", "scripts/bundle-command.mjs") },
      { name: "start-up cache", run: () => command("node", "scripts/warm-command.mjs") },
    ],
  },
  {
    name: "page",
    stamp: `${page}/dist/.build-stamp`,
    // What its sources import, the page included: nothing else ends up in it.
    packages: () => [
      ...["contract", "dialects", "faces", "guard", "language", "tools"].map((name) => `packages/${name}`),
      page,
    ],
    outputs: () => [`${page}/dist/index.html`],
    steps: [{ name: "page", run: () => command("node_modules/.bin/vite", "build", "--logLevel", "warn", page) }],
  },
]

await withBuildLock(() => {
  const stale = targets.filter((target) => process.argv.includes("--force") || !isUpToDate(target))
  if (stale.length === 0) console.log("build: up to date")
  for (const target of stale) build(target)
})

function build(target) {
  for (const { name, run } of target.steps) {
    const started = performance.now()
    const problem = run()
    if (problem !== undefined) {
      console.error(`build: ${name} FAILED\n${problem}`)
      process.exit(1)
    }
    console.log(`build: ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`)
  }
  const stamp = join(root, target.stamp)
  mkdirSync(dirname(stamp), { recursive: true })
  // Hashed afterwards: the definitions are an input of the later steps and an output of the first.
  writeFileSync(stamp, inputsHash(target))
}

function isUpToDate(target) {
  const stamp = join(root, target.stamp)
  const complete = target.outputs().every((file) => existsSync(join(root, file)))
  return complete && existsSync(stamp) && readFileSync(stamp, "utf8") === inputsHash(target)
}

function packages() {
  return readdirSync(join(root, "packages")).map((folder) => `packages/${folder}`)
}

/** Runs a program and returns what it said if it failed. */
function command(program, ...rest) {
  const file = program === "node" ? process.execPath : join(root, program)
  const { status, error, stdout, stderr } = spawnSync(file, rest, { cwd: root, encoding: "utf8" })
  if (error) return `Cannot start "${program}": ${error.message}; run npm install with its development packages`
  if (status === 0) return undefined
  // What failed is in the messages; a trace through the build's own files helps nobody.
  const lines = `${stdout}${stderr}`.split("\n").filter((line) => !/^\s+at |^Node\.js v/.test(line))
  return lines.slice(0, 40).join("\n")
}

/** Changes when anything changes that a target reads: sources, settings, these scripts, the version of Node. */
function inputsHash(target) {
  const hash = createHash("sha256").update(process.version)
  const files = ["package-lock.json", "tsconfig.base.json"]
  for (const base of target.packages()) {
    files.push(`${base}/package.json`, `${base}/tsconfig.json`, `${base}/vite.config.ts`, `${base}/index.html`)
    for (const folder of [`${base}/src`, `${base}/public`]) {
      const names = existsSync(join(root, folder)) ? readdirSync(join(root, folder), { recursive: true }) : []
      const read = names.filter((name) => /\.(ts|tsx|css|html|json|svg)$/.test(name) && !/\.test\.tsx?$/.test(name))
      files.push(...read.map((name) => `${folder}/${name}`))
    }
  }
  files.push(
    ...readdirSync(join(root, "scripts"), { recursive: true })
      .filter((name) => /\.(mjs|cjs|ts)$/.test(name) && !name.endsWith(".test.ts"))
      .map((name) => `scripts/${name}`),
  )
  for (const file of files.sort()) {
    if (existsSync(join(root, file))) hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  }
  return hash.digest("hex")
}
