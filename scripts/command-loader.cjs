"use strict"
// The entry of the built command line. Loads chunks when they are asked for: those that the usual commands need from a
// few packs, the others one by one, each with V8's code cache where there is one. Compiling the sources would cost tens of
// milliseconds, and Node 20 has no compile cache of its own. V8 refuses the cache of another version, and then the
// source is compiled as usual. A build has caches beside the packs; an installed package makes them at its first run, for
// the Node that it runs on, below the state folder.
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require("node:fs")
const vm = require("node:vm")

// One run validates a handful of values: compiling validators for them costs more than it saves.
globalThis.__zod_globalConfig = { jitless: true }

// The usual path needs no escapes.
const folderUrl = /^[\w/.-]+$/.test(__dirname)
  ? `file://${__dirname}`
  : require("node:url").pathToFileURL(__dirname).href
// What the exports of every chunk have in common.
const esModule = { __esModule: true }
const modules = new Map()
const isInstalled = !existsSync(`${__dirname}/start.js.cache`)
const scripts = new Map()
// The build's own number is in the name, because V8 compares no more of a source than its length.
const ownCaches = `${stateFolder()}/cache/command-__BUILD__-${process.version}-${process.arch}`
const packs = openPack("start.js")?.packs ?? {}

// What the chunks import, by path, loaded at the first use. What is loaded is a property of its own from then on.
const late = Object.create(
  new Proxy(
    {},
    {
      get(_target, path) {
        const value = requireFrom(path)
        Object.defineProperty(late, path, { value })
        return value
      },
    },
  ),
)

function load(name) {
  const known = modules.get(name)
  if (known) return known.exports
  const module = { exports: {} }
  modules.set(name, module)
  wrapperOf(name)(module, requireFrom, `${folderUrl}/${name}`, late, esModule, asModule)
  return module.exports
}

function requireFrom(path) {
  // Modules of others, such as the tools of a package that is checked: they come as they are, with what they import.
  if (path.startsWith("file:")) return import(path)
  return path.startsWith("./") ? load(path.slice(2)) : path.startsWith("@libsql/") ? nativePart(path) : require(path)
}

/** The native part of libsql, which only libsql itself may see where packages are kept apart. */
function nativePart(path) {
  try {
    return require(path)
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND") throw error
    return require("node:module").createRequire(require.resolve("libsql"))(path)
  }
}
requireFrom.resolve = require.resolve

/** What import() of a chunk or of a CommonJS package gives. */
function asModule(exports) {
  if (exports instanceof Promise) return exports
  return exports.__esModule ? exports : Object.create(exports, { default: { value: exports, enumerable: true } })
}

function wrapperOf(name) {
  const pack = packs[name]
  if (pack) return openPack(pack).chunks[name]
  return run(
    name,
    `(function(module,require,__chunkUrl,__late,__module,__toESM){${readFileSync(`${__dirname}/${name}`, "latin1")}\n})`,
  )
}

function openPack(name) {
  const known = scripts.get(name)
  if (known) return known.value
  const source = readIfThere(name, "latin1")
  return source === undefined ? undefined : run(name, source)
}

function run(name, source) {
  const filename = `${__dirname}/${name}`
  const script = new vm.Script(source, {
    filename,
    cachedData: readIfThere(`${name}.cache`) ?? readIfThere(`${ownCaches}/${name}.cache`),
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  const value = script.runInThisContext()
  scripts.set(name, { script, value })
  return value
}

function readIfThere(name, encoding) {
  try {
    return readFileSync(name.startsWith("/") ? name : `${__dirname}/${name}`, encoding)
  } catch {
    return undefined
  }
}

function stateFolder() {
  const { HAFT_HOME, XDG_DATA_HOME, HOME } = process.env
  return HAFT_HOME || `${XDG_DATA_HOME || `${HOME}/.local/share`}/haft`
}

/** Writes the caches that were missing. Without them the next run is only slower, so nothing is said about a failure. */
function keepCaches() {
  if (!ownCaches.startsWith("/")) return
  for (const [name, { script }] of scripts) {
    // V8 says so where there was a cache; a chunk that is in no pack is small.
    if (script.cachedDataRejected === false || !(name === "start.js" || Object.values(packs).includes(name))) continue
    try {
      mkdirSync(ownCaches, { recursive: true, mode: 0o700 })
      const draft = `${ownCaches}/${name}.${process.pid}`
      writeFileSync(draft, script.createCachedData(), { mode: 0o600 })
      renameSync(draft, `${ownCaches}/${name}.cache`)
    } catch {
      return
    }
  }
}

/** Runs the command line and resolves to its exit code. */
exports.main = async (argv, io) => {
  const code = await load("command.js").main(argv, io)
  if (isInstalled) keepCaches()
  return code
}
/** The chunks and scripts that were loaded so far: the build makes packs and caches from them. */
exports.loaded = { modules, scripts }
