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

/** Addresses in the lockfile tie an install to one registry host. */
function lockfileProblems(text: string): readonly string[] {
  const packages: Record<string, { resolved?: string }> = JSON.parse(text).packages
  return Object.entries(packages)
    .filter(([, entry]) => entry.resolved !== undefined && /^[a-z+]+:\/\//.test(entry.resolved))
    .map(
      ([name]) => `package-lock.json: "${name}" names a registry host; keep omit-lockfile-registry-resolved in .npmrc`,
    )
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
