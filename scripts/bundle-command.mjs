// Bundles the command line into packages/haft/dist/cli: a CommonJS chunk for each module, evaluated when something of it
// is first used. CommonJS because Node starts it faster than ES modules, and because a code cache can be given to it
// (command-loader.cjs). esbuild splits only ES modules, so it splits first and each chunk is converted afterwards.
import { createHash } from "node:crypto"
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { emptyChunk, lateChunk } from "./late-chunk.mjs"
import { withoutFaces } from "./without-faces.mjs"
import { workers } from "./workers.mjs"

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..")
const target = join(root, "packages/haft/dist/cli")
const fresh = `${target}-${process.pid}`
const entry = "packages/haft/src/command/main.ts"

const settings = {
  outdir: fresh,
  write: false,
  bundle: true,
  metafile: true,
  format: "esm",
  platform: "node",
  target: "node20",
  conditions: ["haft-source"],
  // Native parts stay packages of their own.
  external: ["@libsql/*", "pg-native", "sharp", "@vscode/ripgrep", "@vscode/ripgrep/*"],
  // jsonc-parser: its CommonJS half requires its own files in a way that no bundler sees.
  mainFields: ["module", "main"],
  legalComments: "none",
  logLevel: "silent",
  absWorkingDir: root,
  plugins: [withoutFaces],
  alias: {
    // libsql asks these two which C library it runs on; their answer costs ten milliseconds at every start.
    "@neon-rs/load": join(root, "scripts/libsql-target.cjs"),
    "detect-libc": join(root, "scripts/libsql-target.cjs"),
    "@modelcontextprotocol/server/_shims": join(root, "scripts/mcp-server-shims.mjs"),
  },
}

try {
  const { outputFiles, metafile } = await splitByModule()
  const wanted = reachable(metafile.outputs)
  mkdirSync(fresh, { recursive: true })
  const files = outputFiles.filter(({ path }) => wanted.has(basename(path)))
  const chunks = await Promise.all(files.map(async ({ path, text }) => [basename(path), await lateChunk(text)]))
  // Of a module of types alone nothing is left, and on a disk it would take a block all the same.
  const empty = chunks.flatMap(([name, chunk]) => (chunk === emptyChunk ? [name] : []))
  for (const [name, chunk] of chunks) {
    const asked = empty.find((each) => chunk.includes(`"./${each}"`))
    if (asked) throw new Error(`${name} asks for ${asked}, of which nothing is left`)
    if (chunk !== emptyChunk) writeFileSync(join(fresh, name), chunk, "latin1")
  }
} catch (error) {
  fail(error)
}
const loader = readFileSync(join(root, "scripts/command-loader.cjs"), "utf8")
writeFileSync(join(fresh, "main.cjs"), loader.replace("__BUILD__", buildNumber()))
for (const { folder } of workers) cpSync(join(root, folder), join(fresh, basename(folder)), { recursive: true })
// Tools as data: listing them loads none. Without blanks, because every call reads it.
const definitions = JSON.parse(readFileSync(join(root, "packages/tools/src/generated/definitions.json"), "utf8"))
writeFileSync(join(fresh, "definitions.json"), JSON.stringify(definitions))
// Without it Node would take the files for ES modules, as the package's own package.json says.
writeFileSync(join(fresh, "package.json"), '{ "type": "commonjs" }\n')
replaceFolder()

/** Every module of ours as an entry of its own: esbuild puts together only what the same entries reach, so none share a chunk. */
async function splitByModule() {
  const whole = await build({ ...settings, entryPoints: [join(root, entry)] })
  const own = Object.keys(whole.metafile.inputs).filter((path) => path.startsWith("packages/"))
  const entryPoints = Object.fromEntries(own.map((path) => [entryName(path), join(root, path)]))
  return build({ ...settings, entryPoints, splitting: true })
}

function entryName(path) {
  return path === entry
    ? "command"
    : path
        .slice("packages/".length)
        .replace("/src/", "/")
        .replace(/\.\w+$/, "")
        .replaceAll("/", "-")
}

/** The chunks that the command reaches: the doors of modules that are only imported statically are not among them. */
function reachable(outputs) {
  const byName = new Map(Object.entries(outputs).map(([path, output]) => [basename(path), output]))
  const found = new Set(["command.js"])
  for (const name of found) {
    for (const { path, external } of byName.get(name).imports) if (!external) found.add(basename(path))
  }
  return found
}

/** Another one for other chunks. */
function buildNumber() {
  const hash = createHash("sha256")
  for (const name of readdirSync(fresh).sort()) hash.update(name).update(readFileSync(join(fresh, name)))
  return hash.digest("hex").slice(0, 16)
}

function replaceFolder() {
  const old = `${fresh}-old`
  if (existsSync(target)) renameSync(target, old)
  renameSync(fresh, target)
  rmSync(old, { recursive: true, force: true })
}

function fail(error) {
  console.error(
    error.errors
      ?.map(({ text, location }) => (location ? `${location.file}:${location.line}: ${text}` : text))
      .join("\n") ?? String(error),
  )
  process.exit(1)
}
