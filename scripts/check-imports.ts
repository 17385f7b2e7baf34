import { readdir, readFile } from "node:fs/promises"
import { builtinModules } from "node:module"
import { join, relative, resolve, sep } from "node:path"
import { findRings } from "./find-rings.js"
import { type PackageRow, packageName } from "./import-table.js"
import { findGlobals, readImports, type SourceImport } from "./read-imports.js"

/**
 * Compares the imports of every package source with the table and returns one line for each violation:
 * a layer, a foreign package, a Node module or global that the row does not name, or a ring of modules
 * that load each other. Types and `import()` close no ring, because nothing waits for them.
 * Tests may import anything and are left out.
 */
export async function checkImports(
  root: string,
  table: Readonly<Record<string, PackageRow>>,
): Promise<readonly string[]> {
  const files = await sourceFiles(root)
  const imports = await readImports(files)
  const known = new Set(files)
  const pure = files.filter((file) => table[packageOf(root, file)]?.node === "none")
  const isOwnRequest = ({ file, name }: { file: string; name: string }) =>
    name === "fetch" && table[packageOf(root, file)]?.page === true
  const globals = (await findGlobals(pure)).filter((found) => !isOwnRequest(found))
  const show = (file: string) => relative(root, file)
  return [
    ...unknownPackages(root, files, table),
    ...imports.flatMap((found) => {
      const row = rowOf(root, found.importer, table)
      const reason = row && objection(found, { root, row, table, known })
      return reason ? [`${show(found.importer)} imports "${found.path}": ${reason}`] : []
    }),
    ...globals.map(({ file, name }) => `${show(file)} uses the global "${name}": effects arrive through ports`),
    ...findRings(eagerEdges(imports, known)).map((ring) => `ring of imports: ${ring.map(show).join(" -> ")}`),
  ]
}

/** The row of a source's package; a source in a `ui/` folder may import more. */
function rowOf(root: string, file: string, table: Readonly<Record<string, PackageRow>>): PackageRow | undefined {
  const row = table[packageOf(root, file)]
  if (row?.ui === undefined || !relative(root, file).split(sep).includes("ui")) return row
  const { packages, thirdParty } = row.ui
  return { ...row, packages: [...row.packages, ...packages], thirdParty: [...row.thirdParty, ...thirdParty] }
}

interface Place {
  readonly root: string
  readonly row: PackageRow
  readonly table: Readonly<Record<string, PackageRow>>
  readonly known: ReadonlySet<string>
}

function objection({ importer, path }: SourceImport, place: Place): string | undefined {
  const folder = packageOf(place.root, importer)
  if (path.startsWith(".")) return relativeObjection(importer, path, place)
  if (path.startsWith("node:") || builtinModules.includes(path)) {
    const { node } = place.row
    if (!path.startsWith("node:")) return `write "node:${path}"`
    return node === "all" || node.includes(path) ? undefined : `"${folder}" may not import this Node module`
  }
  const own = Object.keys(place.table).find(
    (name) => path === packageName(name) || path.startsWith(`${packageName(name)}/`),
  )
  if (own !== undefined) {
    if (own === folder) return "a package does not import itself by name"
    const isWhole = path === packageName(own) || place.row.parts?.includes(own) === true
    if (!isWhole) return `only "${packageName(own)}" itself is public`
    return place.row.packages.includes(own) ? undefined : `"${folder}" may not import "${own}"`
  }
  const foreign = path.split("/", path.startsWith("@") ? 2 : 1).join("/")
  return place.row.thirdParty.includes(foreign) ? undefined : `"${foreign}" is not on the list of "${folder}"`
}

function relativeObjection(importer: string, path: string, { root, known }: Place): string | undefined {
  const target = resolveRelative(importer, path, known)
  const inside = target.startsWith(join(root, "packages", packageOf(root, importer), "src") + sep)
  if (!inside) return "a relative path may not leave the package's src"
  if (/\.(json|css)$/.test(path)) return undefined
  if (/\.test\.js$/.test(path)) return "a source may not import a test"
  return known.has(target) ? undefined : "no such source file"
}

function eagerEdges(
  imports: readonly SourceImport[],
  known: ReadonlySet<string>,
): ReadonlyMap<string, readonly string[]> {
  const edges = new Map<string, string[]>()
  for (const { importer, path, eager } of imports) {
    const target = path.startsWith(".") ? resolveRelative(importer, path, known) : undefined
    if (!eager || target === undefined || !known.has(target)) continue
    edges.set(importer, [...(edges.get(importer) ?? []), target])
  }
  return edges
}

/** The source that a relative path names: `./a.js` is written in `a.ts` or `a.tsx`. */
function resolveRelative(importer: string, path: string, known: ReadonlySet<string>): string {
  const target = resolve(importer, "..", path.replace(/\.js$/, ".ts"))
  return known.has(`${target}x`) ? `${target}x` : target
}

function packageOf(root: string, file: string): string {
  return relative(join(root, "packages"), file).split(sep)[0] ?? ""
}

function unknownPackages(
  root: string,
  files: readonly string[],
  table: Readonly<Record<string, PackageRow>>,
): readonly string[] {
  const folders = new Set(files.map((file) => packageOf(root, file)))
  return [...folders]
    .filter((folder) => !(folder in table))
    .map((folder) => `packages/${folder} has no row in the import table`)
}

async function sourceFiles(root: string): Promise<readonly string[]> {
  const found: string[] = []
  for (const folder of await readdir(join(root, "packages"))) {
    const source = join(root, "packages", folder, "src")
    const entries = await readdir(source, { recursive: true }).catch(() => [])
    found.push(
      ...entries
        .filter((name) => /\.tsx?$/.test(name) && !/\.(test|types)\.tsx?$/.test(name))
        .map((name) => join(source, name)),
    )
  }
  return found.sort()
}

/** Third-party packages that a package.json declares and the table does not name, or the other way round. */
export async function checkDeclared(
  root: string,
  table: Readonly<Record<string, PackageRow>>,
): Promise<readonly string[]> {
  const problems: string[] = []
  for (const [folder, row] of Object.entries(table)) {
    const file = join(root, "packages", folder, "package.json")
    const declared = Object.keys(JSON.parse(await readFile(file, "utf8")).dependencies ?? {})
    const allowed = [...row.thirdParty, ...[...row.packages, ...(row.ui?.packages ?? [])].map(packageName)]
    for (const name of declared)
      if (!allowed.includes(name))
        problems.push(`${relative(root, file)} declares "${name}", which the import table does not allow`)
  }
  return problems
}
