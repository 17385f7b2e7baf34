// The package that users install. `npm pack -w haft` runs this before and after: everything of ours and the pure
// JavaScript of others is bundled, types are put together, and package.json is for the time of packing that of the
// installed package: native parts are dependencies, and what few need is an optional peer.
import { spawnSync } from "node:child_process"
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { basename, dirname, join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { copyTypes } from "./package-types.mjs"
import { withoutFaces } from "./without-faces.mjs"
import { workers } from "./workers.mjs"

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..")
const home = join(root, "packages/haft")
const library = join(home, "dist/bundle")
const manifestFile = join(home, "package.json")
const keptManifest = join(home, "dist/package.json.kept")
// Their binaries, or that of a package of theirs, cannot be bundled; zod and the AI SDK are the caller's own.
const native = ["libsql", "@vscode/ripgrep", "@lydell/node-pty"]
const external = [
  ...native.flatMap((name) => [name, `${name}/*`]),
  "@libsql/*",
  "sharp",
  "pg-native",
  "zod",
  "zod/*",
  "ai",
]

if (process.argv[2] === "restore") restore()
else await prepare()

async function prepare() {
  if (existsSync(keptManifest)) restore()
  const built = spawnSync(process.execPath, ["scripts/build.mjs"], { cwd: root, stdio: ["ignore", 2, 2] })
  if (built.status !== 0) process.exit(1)
  rmSync(library, { recursive: true, force: true })
  const inputs = [...(await bundleLibrary()), ...(await bundleFaces())]
  const entries = ["haft/index", "haft/ai", "testkit/index", "faces/index"]
  copyTypes({ root, target: join(home, "dist/types"), entries })
  rmSync(join(home, "dist/page"), { recursive: true, force: true })
  packPage(join(root, "packages/workbench/dist"), join(home, "dist/page"))
  copyFileSync(join(root, "README.md"), join(home, "README.md"))
  copyFileSync(join(root, "LICENSE"), join(home, "LICENSE"))
  writeFileSync(join(home, "THIRD-PARTY-NOTICES"), notices(inputs))
  renameSync(manifestFile, keptManifest)
  writeFileSync(manifestFile, `${JSON.stringify(publishedManifest(), null, 2)}\n`)
}

/** The library as ES modules with chunks that are loaded when they are needed. Gives the files that went into it. */
async function bundleLibrary() {
  const { metafile } = await build({
    entryPoints: {
      index: join(home, "src/index.ts"),
      ai: join(home, "src/ai.ts"),
      testing: join(root, "packages/testkit/src/index.ts"),
    },
    outdir: library,
    bundle: true,
    splitting: true,
    // Tables of encodings would have twice the size as escapes.
    charset: "utf8",
    // Names of functions and classes stay, so that a trace can be read.
    minify: true,
    keepNames: true,
    metafile: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["haft-source"],
    mainFields: ["module", "main"],
    external,
    // Packages in CommonJS ask for modules of Node with require.
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
    legalComments: "none",
    logLevel: "error",
    absWorkingDir: root,
    plugins: [withoutFaces],
  })
  for (const { folder, isThread } of workers) {
    if (isThread) shareWorker(basename(folder))
    else cpSync(join(root, folder), join(library, basename(folder)), { recursive: true })
  }
  return Object.keys(metafile.inputs)
}

/** The page compressed, as it is sent: a third of the size. */
function packPage(from, to) {
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const target = `${join(to, relative(from, file))}.gz`
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, gzipSync(readFileSync(file), { level: 9 }))
  }
}

/** The library's threads run the programs of the command line, which are in the package already. */
function shareWorker(name) {
  mkdirSync(join(library, name), { recursive: true })
  writeFileSync(join(library, name, "main.mjs"), `import "../../cli/${name}/main.mjs"\n`)
}

/** The parts of faces for pages: React is the page's own, languages of code are loaded when they are needed. */
async function bundleFaces() {
  const target = join(home, "dist/faces")
  const source = join(root, "packages/faces/src")
  rmSync(target, { recursive: true, force: true })
  const { metafile } = await build({
    entryPoints: { index: join(source, "index.ts"), faces: join(source, "style/faces.css") },
    outdir: target,
    bundle: true,
    splitting: true,
    minify: true,
    metafile: true,
    format: "esm",
    target: "es2022",
    // Escaped, the Chinese words would have twice the size.
    charset: "utf8",
    jsx: "automatic",
    conditions: ["haft-source"],
    external: ["react", "react/*", "zod", "zod/*"],
    legalComments: "none",
    logLevel: "error",
    absWorkingDir: root,
  })
  return Object.keys(metafile.inputs)
}

function publishedManifest() {
  const own = JSON.parse(readFileSync(keptManifest, "utf8"))
  const { name, version, description, license, type, engines, bin } = own
  const versions = versionsOf(["host", "store"])
  return {
    name,
    version,
    description,
    license,
    type,
    engines,
    bin,
    files: [
      "bin",
      "dist/cli",
      "!dist/cli/*.cache",
      "dist/bundle",
      "dist/faces",
      "dist/types",
      "dist/page",
      "!dist/page/.*",
      "demo",
      "schema",
      "skills",
      "templates",
      "THIRD-PARTY-NOTICES",
    ],
    exports: {
      ".": { types: "./dist/types/haft/index.d.ts", default: "./dist/bundle/index.js" },
      "./ai": { types: "./dist/types/haft/ai.d.ts", default: "./dist/bundle/ai.js" },
      "./testing": { types: "./dist/types/testkit/index.d.ts", default: "./dist/bundle/testing.js" },
      "./faces": { types: "./dist/types/faces/index.d.ts", default: "./dist/faces/index.js" },
      "./faces.css": "./dist/faces/faces.css",
      "./package.json": "./package.json",
    },
    dependencies: Object.fromEntries(native.map((each) => [each, versions[each]])),
    peerDependencies: { ...own.peerDependencies, react: ">=19", sharp: ">=0.33", zod: "^4.2.0" },
    peerDependenciesMeta: { ...own.peerDependenciesMeta, react: { optional: true }, sharp: { optional: true } },
    sideEffects: ["./dist/faces/faces.css"],
  }
}

/** The licences of the packages that are bundled, each once. */
function notices(inputs) {
  const names = inputs.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [])
  const bundled = [...new Set([...names, ...commandPackages()])].sort()
  const ofPage = readFileSync(join(root, "packages/workbench/dist/.vite/license.md"), "utf8").trim()
  return [...bundled.map(notice), ofPage].join(`\n\n${"-".repeat(80)}\n\n`)
}

/** Packages that only the command line or the workers bundle. */
function commandPackages() {
  const table = Object.keys(versionsOf(readdirSync(join(root, "packages"))))
  return table.filter((name) => !name.startsWith("@haft/") && !native.includes(name) && name !== "sharp")
}

/** The dependencies of these packages of ours, with their versions. */
function versionsOf(folders) {
  const manifests = folders.map((folder) =>
    JSON.parse(readFileSync(join(root, "packages", folder, "package.json"), "utf8")),
  )
  return Object.assign({}, ...manifests.map(({ dependencies }) => dependencies))
}

function notice(name) {
  const folder = join(root, "node_modules", name)
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const file = readdirSync(folder).find((each) => /^(licen[cs]e|copying)/i.test(each))
  const text = file === undefined ? `License: ${license}` : readFileSync(join(folder, file), "utf8").trim()
  return `${name} ${version} (${license})\n\n${text}`
}

function restore() {
  if (existsSync(keptManifest)) renameSync(keptManifest, manifestFile)
  for (const name of ["README.md", "LICENSE", "THIRD-PARTY-NOTICES"]) rmSync(join(home, name), { force: true })
}
