// Runs a TypeScript file of this repository: bundles it in memory-speed with esbuild and imports the result.
// Workspace packages are taken from their sources, everything else from node_modules.
import { mkdir, rm, symlink } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { threadId } from "node:worker_threads"
import { build } from "esbuild"
import { workers } from "./workers.mjs"

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..")
const [entry, ...rest] = process.argv.slice(2)
if (!entry) {
  console.error("usage: node scripts/run-ts.mjs FILE [arguments]")
  process.exit(2)
}
// Inside the repository, so that bare imports find node_modules.
const folder = join(root, "node_modules", ".cache", "haft-run-ts")
await mkdir(folder, { recursive: true })
// Code that starts worker threads looks for their programs beside itself.
for (const { folder: bundle } of workers) {
  await symlink(join("../../..", bundle), join(folder, basename(bundle)), "dir").catch((error) => {
    if (error.code !== "EEXIST") throw error
  })
}
const outfile = join(folder, `${process.pid}-${threadId}.mjs`)
await build({
  entryPoints: [resolve(entry)],
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  conditions: ["haft-source"],
  // Packages without side effects lose the start of modules that are also imported later: constants stay undefined.
  ignoreAnnotations: true,
  sourcemap: "inline",
  logLevel: "warning",
  plugins: [
    {
      name: "keep-foreign-packages-external",
      setup(builder) {
        builder.onResolve({ filter: /^[^./]/ }, (request) =>
          request.kind === "entry-point" || request.path === "haft" || request.path.startsWith("@haft/")
            ? undefined
            : { path: request.path, external: true },
        )
      },
    },
  ],
})
process.argv = [process.argv[0], resolve(entry), ...rest]
process.on("exit", () => {
  // Best effort: a leftover bundle is overwritten or ignored later.
  rm(outfile, { force: true }).catch(() => undefined)
})
await import(pathToFileURL(outfile).href)
