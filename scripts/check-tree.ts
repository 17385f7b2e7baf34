// Checks of the source tree that need no compiler: node scripts/run-ts.mjs scripts/check-tree.ts imports|turns|names|lockfile
import { readdir, readFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { checkDeclared, checkImports } from "./check-imports.js"
import { checkTurns } from "./check-turns.js"
import { importTable } from "./import-table.js"

const root = process.cwd()

const checks: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  imports: async () => [...(await checkImports(root, importTable)), ...(await checkDeclared(root, importTable))],
  turns: () => checkTurns(root),
  names: async () => (await ownFiles()).flatMap(nameProblems),
  lockfile: async () => lockfileProblems(await readFile(join(root, "package-lock.json"), "utf8")),
}

const check = checks[process.argv[2] ?? ""]
if (!check) throw new Error(`name one of ${Object.keys(checks).join(", ")}`)
// A file that cannot be parsed ends a check early; the parser's message says which.
const problems = await check().catch((error: Error) => [error.message])
for (const problem of problems) console.log(problem)
process.exitCode = problems.length > 0 ? 1 : 0

/** A name must say what is inside; these say only that something is. */
function nameProblems(file: string): readonly string[] {
  const name = basename(file).replace(/\..*$/, "")
  if (/(^|-)(utils?|helpers?|common|misc)$/.test(name)) return [`${file}: "${name}" says nothing; name the idea inside`]
  if (/\.ts$/.test(file) && !/^[a-z0-9.-]+$/.test(basename(file))) return [`${file}: file names are in kebab case`]
  return []
}

interface LockedPackage {
  readonly resolved?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

type Locked = Readonly<Record<string, LockedPackage>>

function lockfileProblems(text: string): readonly string[] {
  const { packages }: { readonly packages: Locked } = JSON.parse(text)
  return Object.entries(packages).flatMap(([path, entry]) => [
    ...hostProblems(path, entry),
    ...missingProblems(path, entry, packages),
  ])
}

/** Addresses in the lockfile tie an install to one registry host. */
function hostProblems(path: string, { resolved }: LockedPackage): readonly string[] {
  if (resolved === undefined || !/^[a-z+]+:\/\//.test(resolved)) return []
  return [`package-lock.json: "${path}" names a registry host; keep omit-lockfile-registry-resolved in .npmrc`]
}

/** npm leaves out an optional package that its registry does not have, and then npm ci refuses the lockfile. */
function missingProblems(path: string, entry: LockedPackage, packages: Locked): readonly string[] {
  return Object.entries({ ...entry.dependencies, ...entry.optionalDependencies })
    .filter(([name]) => !placesOf(path, name).some((place) => packages[place]))
    .map(
      ([name, version]) =>
        `package-lock.json: "${path}" asks for "${name}", which has no entry, so npm ci fails; install from a registry that has it, or add an entry with its version ("${version}"), os, cpu and optional`,
    )
}

/** Where Node looks for a package, from a place on. */
function placesOf(path: string, name: string): readonly string[] {
  const parts = path === "" ? [] : path.split("/")
  const folders = Array.from({ length: parts.length + 1 }, (_, count) => parts.slice(0, count))
  return folders
    .filter((folder) => folder.at(-1) !== "node_modules")
    .map((folder) => [...folder, "node_modules", name].join("/"))
}

async function ownFiles(): Promise<readonly string[]> {
  const found: string[] = []
  for (const folder of ["packages", "scripts", "bench"]) {
    const entries = await readdir(join(root, folder), { recursive: true })
    found.push(
      ...entries.filter((name) => !/(^|\/)(dist|node_modules)(\/|$)/.test(name)).map((name) => `${folder}/${name}`),
    )
  }
  return found.sort()
}
