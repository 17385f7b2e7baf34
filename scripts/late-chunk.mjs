// Converts an ES module chunk of esbuild into the body of a function that the command's loader calls. What it imports is
// not loaded before it is used: `import { a } from "./b.js"` and a use of `a` become `__late["./b.js"].a`. The modules of
// this repository do nothing at import, so nobody can tell when they are evaluated.
import { transform } from "esbuild"

const options = { platform: "node", target: "node20", logLevel: "silent" }

/** What becomes of a chunk without code and exports. An ES module is strict without saying so. */
export const emptyChunk = '"use strict";'

/** The chunk as source for the loader. */
export async function lateChunk(text) {
  const { code } = await transform(text, {
    ...options,
    format: "cjs",
    define: { "import.meta.url": "__chunkUrl" },
    // Turns import("./chunk.js") into require, which the loader serves.
    supported: { "dynamic-import": false },
  })
  const source = withLateImports(withoutPreamble(code))
  const small = await transform(source, {
    ...options,
    // Words stay readable in stack traces; only blanks and syntax are made small.
    minifyWhitespace: true,
    minifySyntax: true,
    charset: "ascii",
    // Nothing can be escaped inside a raw template, so one with other letters must become a list of its pieces.
    supported: isAscii(source) ? {} : { "template-literal": false },
  })
  // The loader reads bytes as characters, which is the fastest way to read.
  if (!isAscii(small.code)) throw new Error(`a chunk is not ASCII: ${small.code.slice(0, 200)}`)
  return `${emptyChunk}${small.code}`
}

function isAscii(text) {
  return /^[\x00-\x7f]*$/.test(text)
}

/**
 * esbuild starts each file with the same few functions and with a list of its exports. The list becomes an object whose
 * properties are read when they are asked for: what they name may not be defined yet. The functions are the loader's.
 */
function withoutPreamble(code) {
  const statement = /^var (\w+) = \{\};\n__export\(\1, \{\n([^}]*)\}\);\nmodule\.exports = __toCommonJS\(\1\);\n/m.exec(
    code,
  )
  // A chunk that exports nothing has no list.
  if (!statement) return code
  const exported = statement[2].replace(/^ *(\w+|"[^"]+"): \(\) => (.+?),?$/gm, "get $1() { return $2 },")
  const body = code.slice(statement.index + statement[0].length)
  return `module.exports = { __proto__: __module,\n${exported} };\n${body.replace(forOtherLoaders, "")}`
}

const forOtherLoaders =
  /^\/\/ Annotate the CommonJS export names for ESM import in node:\n0 && \(module\.exports = \{[^}]*\}\);\n/m

function withLateImports(code) {
  // A local variable of that name would hide it.
  if (code.includes("__late")) throw new Error('a module names something "__late", which means its imports')
  const late = new Map()
  const rest = code.replace(/^var (import_\w+) = require\(("[^"\n]+")\);\n/gm, (_statement, name, path) => {
    late.set(name, `__late[${path}]`)
    return ""
  })
  return rest.replace(/\bimport_\w+/g, (name) => late.get(name) ?? name)
}
