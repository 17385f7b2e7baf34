// npm run words: brings the English side of the Chinese catalogue up to date with the sources.
// New texts get an empty entry for a translator, those that are gone leave. Says how many are empty.
import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { catalogueFiles, folder } from "./words/catalogue-files.js"

const files = catalogueFiles(process.cwd())
for (const [path, text] of Object.entries(files)) writeFileSync(path, text)
execFileSync("node_modules/.bin/biome", ["format", "--write", folder], { stdio: "ignore" })
for (const [path, text] of Object.entries(files)) {
  const all = text.split("\n").filter((line) => line.startsWith("  ")).length
  console.log(`${path}: ${all} texts, ${text.split(': "",\n').length - 1} to translate`)
}
