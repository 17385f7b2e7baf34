// Bundles the programs of worker threads: a step of the build, and what vitest does before the tests when a source is newer
// than its bundle. Packages that they import become chunks of the bundle, so that they need not be installed.
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { workers } from "./workers.mjs"

const script = fileURLToPath(import.meta.url)
const root = resolve(dirname(script), "..")

if (process.argv[1] === script) for (const worker of workers) await bundleWorker(worker)

/** What vitest calls before the first test. */
export async function setup() {
  for (const worker of workers) if (!isUpToDate(worker)) await bundleWorker(worker)
}

async function bundleWorker({ entry, folder }) {
  const target = join(root, folder)
  const fresh = `${target}-${process.pid}`
  const { metafile } = await build({
    entryPoints: [join(root, entry)],
    outdir: fresh,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    metafile: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["haft-source"],
    // Native, and optional: without it images are not made smaller. linkedom does without canvas.
    external: ["sharp", "canvas"],
    // The package may not import the guard; only its bundle has this module (bundled-modules.d.ts).
    alias: { "haft-command-analysis": join(root, "packages/guard/src/command/analyze-bash.ts") },
    minifyWhitespace: true,
    legalComments: "none",
    logLevel: "error",
    absWorkingDir: root,
  })
  putInPlace(fresh, target)
  const own = Object.keys(metafile.inputs).filter((path) => path.startsWith("packages/"))
  writeFileSync(inputsFile(target), JSON.stringify(own))
}

/** The sources that a bundle was made of. */
function inputsFile(target) {
  return join(dirname(target), `.${basename(target)}-inputs.json`)
}

/** Two processes may bundle at the same time, for instance a build and a test: the last one wins. */
function putInPlace(fresh, target) {
  const old = `${fresh}-old`
  for (;;) {
    try {
      if (existsSync(target)) renameSync(target, old)
      return renameSync(fresh, target)
    } catch (error) {
      // The other one was faster, either to take the folder away or to put one there.
      const isTaken = ["ENOENT", "ENOTEMPTY", "EEXIST"].includes(error.code)
      if (!isTaken || !existsSync(fresh)) throw error
    } finally {
      rmSync(old, { recursive: true, force: true })
    }
  }
}

function isUpToDate({ folder }) {
  const target = join(root, folder)
  const file = inputsFile(target)
  if (!existsSync(file) || !existsSync(join(target, "main.mjs"))) return false
  const made = statSync(file).mtimeMs
  const inputs = JSON.parse(readFileSync(file, "utf8"))
  const isOlder = (path) => existsSync(join(root, path)) && statSync(join(root, path)).mtimeMs <= made
  return [...inputs, "package-lock.json", "scripts/bundle-worker.mjs"].every(isOlder)
}
