import { readFile } from "node:fs/promises"
import { build, type ImportKind, transform } from "esbuild"

/** One import as it is in a source file. */
export interface SourceImport {
  readonly importer: string
  readonly path: string
  /** True when the module is loaded together with its importer: not a type, not an `import()`. */
  readonly eager: boolean
}

/** Every import, export-from and dynamic import of these files, found by the parser of esbuild. */
export async function readImports(files: readonly string[]): Promise<readonly SourceImport[]> {
  // esbuild drops type imports, so the files are parsed twice: as written, and with type imports made plain.
  const values = await collect(files, (source) => source)
  const all = await collect(files, withPlainTypeImports)
  const eagerKeys = new Set(values.filter(({ kind }) => kind !== "dynamic-import").map(key))
  const distinct = [...new Map(all.map((found) => [key(found), found])).values()]
  return distinct.map(({ importer, path }) => ({ importer, path, eager: eagerKeys.has(key({ importer, path })) }))
}

/** Globals that reach the world or only one kind of host; a pure package names none of them. */
const forbiddenGlobals = [
  "process",
  "fetch",
  "Buffer",
  "require",
  "globalThis",
  "global",
  "WebSocket",
  "XMLHttpRequest",
]

/** Where these files use a forbidden global; names that a file declares itself do not count. */
export async function findGlobals(files: readonly string[]): Promise<readonly { file: string; name: string }[]> {
  // `define` replaces unbound names only, which leaves comments, strings, properties and own variables alone.
  const define = Object.fromEntries(forbiddenGlobals.map((name) => [name, marker(name)]))
  const results = await Promise.all(
    files.map(async (file) => {
      const { code } = await transform(await readFile(file, "utf8"), { loader: loaderOf(file), define })
      return forbiddenGlobals.filter((name) => code.includes(marker(name))).map((name) => ({ file, name }))
    }),
  )
  return results.flat()
}

async function collect(files: readonly string[], change: (source: string) => string) {
  const found: { importer: string; path: string; kind: ImportKind }[] = []
  await build({
    entryPoints: [...files],
    bundle: true,
    write: false,
    outdir: "/",
    format: "esm",
    platform: "node",
    logLevel: "silent",
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    plugins: [
      {
        name: "collect-imports",
        setup(builder) {
          builder.onLoad({ filter: /\.tsx?$/ }, async ({ path }) => ({
            contents: change(await readFile(path, "utf8")),
            loader: loaderOf(path),
          }))
          builder.onResolve({ filter: /.*/ }, ({ kind, importer, path }) => {
            if (kind === "entry-point") return undefined
            found.push({ importer, path, kind })
            return { path, external: true }
          })
        },
      },
    ],
  })
  return found
}

function withPlainTypeImports(source: string): string {
  const plain = source.replace(/^import type (?=[\w*{])/gm, "import ").replace(/^export type (?=[*{])/gm, "export ")
  // import("x").Name in a type position is no import to esbuild; the extra statement makes it one.
  const inTypes = [...source.matchAll(/\bimport\("([^"\n]+)"\)/g)].map(([, path]) => `import ${JSON.stringify(path)}`)
  return [plain, ...inTypes].join("\n")
}

function key({ importer, path }: { readonly importer: string; readonly path: string }): string {
  return `${importer}\0${path}`
}

function marker(name: string): string {
  return `__forbidden_${name}__`
}

function loaderOf(file: string): "ts" | "tsx" {
  return file.endsWith("x") ? "tsx" : "ts"
}
