// Bundles the command line into packages/haft/dist/cli: CommonJS chunks that are read only when a command needs them.
// CommonJS because Node starts it faster than ES modules, and because a code cache can be given to it (command-loader.cjs).
// esbuild splits only ES modules, so it splits first and each chunk is converted afterwards.
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { build, transform } from "esbuild"

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..")
const target = join(root, "packages/haft/dist/cli")
const fresh = `${target}-${process.pid}`
// Native parts and what only workers load stay packages of their own.
const external = ["@libsql/*", "pg", "sharp", "unpdf", "@vscode/ripgrep", "@vscode/ripgrep/*"]

const split = await build({
  entryPoints: { command: join(root, "packages/haft/src/command/main.ts") },
  outdir: fresh,
  write: false,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  conditions: ["haft-source"],
  external,
  // jsonc-parser: its CommonJS half requires its own files in a way that no bundler sees.
  mainFields: ["module", "main"],
  legalComments: "none",
  logLevel: "silent",
  absWorkingDir: root,
  alias: {
    // libsql asks these two which C library it runs on; their answer costs ten milliseconds at every start.
    "@neon-rs/load": join(root, "scripts/libsql-target.cjs"),
    "detect-libc": join(root, "scripts/libsql-target.cjs"),
  },
}).catch(fail)

mkdirSync(fresh, { recursive: true })
for (const { path, text } of split.outputFiles) {
  const { code } = await transform(text, {
    format: "cjs",
    platform: "node",
    target: "node20",
    // Words stay readable in stack traces; only blanks and syntax are made small.
    minifyWhitespace: true,
    minifySyntax: true,
    keepNames: false,
    define: { "import.meta.url": "__chunkUrl" },
    // Turns import("./chunk.js") into require, which the loader serves.
    supported: { "dynamic-import": false },
    logLevel: "silent",
  }).catch(fail)
  // An ES module is strict without saying so.
  writeFileSync(join(fresh, basename(path)), `"use strict";${code}`)
}
cpSync(join(root, "scripts/command-loader.cjs"), join(fresh, "main.cjs"))
// Tools as data: listing them loads none.
cpSync(join(root, "packages/tools/src/generated/definitions.json"), join(fresh, "definitions.json"))
// Without it Node would take the files for ES modules, as the package's own package.json says.
writeFileSync(join(fresh, "package.json"), '{ "type": "commonjs" }\n')
replaceFolder()

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
