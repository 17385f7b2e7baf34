import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { importTable, packageName } from "../import-table.js"
import { code, generatedNote, page, table } from "./markdown.js"

/** The page of packages: what each is for, what it may import, and the versions it uses. */
export async function packagePage(root: string): Promise<string> {
  const rows = Object.entries(importTable).map(([folder, row]) => [
    code(packageName(folder)),
    row.sentence,
    row.packages.map((name) => code(packageName(name))).join(", ") || "none",
    row.node === "all" ? "all" : row.node === "none" ? "none" : row.node.map(code).join(", "),
  ])
  return page(
    generatedNote,
    "# Packages",
    "A package imports only what its row names. `npm run check` holds this, and fails on a ring of imports.",
    table(["package", "in one sentence", "may import", "modules of Node"], rows),
    "## Packages of others",
    table(["package", "version", "used by"], await dependencyRows(root)),
  )
}

async function dependencyRows(root: string): Promise<readonly (readonly string[])[]> {
  const users = new Map<string, string[]>()
  for (const folder of Object.keys(importTable)) {
    const { dependencies = {} } = JSON.parse(await readFile(join(root, "packages", folder, "package.json"), "utf8"))
    for (const [name, version] of Object.entries<string>(dependencies)) {
      if (name.startsWith("@haft/")) continue
      const key = `${name}\0${version}`
      users.set(key, [...(users.get(key) ?? []), folder])
    }
  }
  return [...users].sort().map(([key, folders]) => {
    const [name = "", version = ""] = key.split("\0")
    return [code(name), version, folders.map((folder) => code(packageName(folder))).join(", ")]
  })
}
