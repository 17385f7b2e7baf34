"use strict"
// The entry of the built command line. Loads chunks when they are asked for: those that the usual commands need from a
// few packs, the others one by one, each with V8's code cache where there is one. Compiling the sources would cost tens of
// milliseconds, and Node 20 has no compile cache of its own. V8 refuses the cache of another version, and then the
// source is compiled as usual.
const { readFileSync } = require("node:fs")
const { join } = require("node:path")
const { pathToFileURL } = require("node:url")
const vm = require("node:vm")

// One run validates a handful of values: compiling validators for them costs more than it saves.
globalThis.__zod_globalConfig = { jitless: true }

// Modules of Node that many chunks name and few runs use; loaded when something of them is touched.
const lateModules = new Set(["node:child_process", "node:worker_threads"])

const modules = new Map()
const scripts = new Map()
const packs = openPack("start.js")?.packs ?? {}

function load(name) {
  const known = modules.get(name)
  if (known) return known.exports
  const module = { exports: {} }
  modules.set(name, module)
  const filename = join(__dirname, name)
  wrapperOf(name)(module.exports, requireFrom, module, filename, __dirname, urlOf(filename))
  return module.exports
}

function urlOf(filename) {
  // The usual path needs no escapes.
  return /^[\w/.-]+$/.test(filename) ? `file://${filename}` : pathToFileURL(filename).href
}

function requireFrom(path) {
  if (path.startsWith("./")) return load(path.slice(2))
  return lateModules.has(path) ? lateModule(path) : require(path)
}
requireFrom.resolve = require.resolve

function lateModule(path) {
  return new Proxy({}, { get: (_target, key) => require(path)[key], ownKeys: () => Reflect.ownKeys(require(path)) })
}

function wrapperOf(name) {
  const pack = packs[name]
  if (pack) return openPack(pack).chunks[name]
  return run(
    name,
    `(function(exports,require,module,__filename,__dirname,__chunkUrl){${readFileSync(join(__dirname, name), "latin1")}\n})`,
  )
}

function openPack(name) {
  const known = scripts.get(name)
  if (known) return known.value
  const source = readIfThere(name, "latin1")
  return source === undefined ? undefined : run(name, source)
}

function run(name, source) {
  const filename = join(__dirname, name)
  const script = new vm.Script(source, {
    filename,
    cachedData: readIfThere(`${name}.cache`),
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  const value = script.runInThisContext()
  scripts.set(name, { script, value })
  return value
}

function readIfThere(name, encoding) {
  try {
    return readFileSync(join(__dirname, name), encoding)
  } catch {
    return undefined
  }
}

/** Runs the command line and resolves to its exit code. */
exports.main = (argv, io) => load("command.js").main(argv, io)
/** The chunks and scripts that were loaded so far: the build makes packs and caches from them. */
exports.loaded = { modules, scripts }
