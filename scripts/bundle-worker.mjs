// Bundles the program of the compute workers into packages/compute/dist/compute-worker: a step of the build, and what vitest
// does before the tests when a source is newer than the bundle. Packages that the jobs import become chunks of it, so that
// they need not be installed.
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

const script = fileURLToPath(import.meta.url)
const root = resolve(dirname(script), "..")
const target = join(root, "packages/compute/dist/compute-worker")
// The sources that the bundle was made of.
const inputsFile = join(root, "packages/compute/dist/.compute-worker-inputs.json")

if (process.argv[1] === script) await bundleWorker()

/** What vitest calls before the first test. */
export async function setup() {
  if (!isUpToDate()) await bundleWorker()
}

async function bundleWorker() {
  const fresh = `${target}-${process.pid}`
  const { metafile } = await build({
    entryPoints: [join(root, "packages/compute/src/worker/main.ts")],
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
  putInPlace(fresh)
  const own = Object.keys(metafile.inputs).filter((path) => path.startsWith("packages/"))
  writeFileSync(inputsFile, JSON.stringify(own))
}

/** Two processes may bundle at the same time, for instance a build and a test: the last one wins. */
function putInPlace(fresh) {
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

function isUpToDate() {
  if (!existsSync(inputsFile) || !existsSync(join(target, "main.mjs"))) return false
  const made = statSync(inputsFile).mtimeMs
  const inputs = JSON.parse(readFileSync(inputsFile, "utf8"))
  const isOlder = (path) => existsSync(join(root, path)) && statSync(join(root, path)).mtimeMs <= made
  return [...inputs, "package-lock.json", "scripts/bundle-worker.mjs"].every(isOlder)
}
