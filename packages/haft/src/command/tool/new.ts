import { cpSync, existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { ToolError } from "@haft/contract"
import type { Run } from "../command.js"
import { exitCodes } from "../exit-code.js"
import { shellWord } from "../own-command.js"
import { packagePath } from "../package-folder.js"
import { printValue } from "../print.js"
import { packageVersion } from "../version.js"

/** `haft tool new NAME`: a package that works, passes its own test and the conformance points, under this name. */
export const run: Run = async (invocation, io) => {
  const [given] = invocation.operands
  const name = given!.replaceAll("_", "-")
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name) || name.length > 60) {
    throw new ToolError(
      "invalid_args",
      `Cannot name a tool "${given}": a name has small letters, digits and single -`,
      {
        hint: "As in: haft tool new line-count",
      },
    )
  }
  const folder = resolve(io.cwd, name)
  if (existsSync(folder)) {
    throw new ToolError("invalid_args", `Cannot write "${folder}": it is there already`, {
      hint: "Choose another name, or another folder",
    })
  }
  cpSync(packagePath("templates/tool"), folder, { recursive: true })
  // Under its own name it would count as a package inside of ours.
  renameSync(join(folder, "_package.json"), join(folder, "package.json"))
  rename(folder, name)
  const files = filesIn(folder)
  printValue(invocation, io, { folder, id: idOf(name), files }, ({ say }) =>
    [
      say`${name} is in ${folder}`,
      "",
      `  cd ${name}`,
      // No registry has this copy of Haft. A link to its folder would not do: faces are drawn with the React beside Haft.
      `  npm pack --silent ${shellWord(packagePath())}`,
      `  npm install -D ./haft-${packageVersion()}.tgz zod`,
      "  npm test",
      "  npx haft tool check .",
    ].join("\n"),
  )
  return exitCodes.ok
}

/** The template is a tool called word-count; every spelling of that name becomes the new one. */
function rename(folder: string, name: string): void {
  const words = name.split("-")
  const camel = words.map((word, index) => (index === 0 ? word : capital(word))).join("")
  const title = capital(words.join(" "))
  const spellings = [
    ["word_count", idOf(name)],
    ["word-count", name],
    ["wordCount", camel],
    ["Word count", title],
  ] as const
  for (const path of filesIn(folder)) {
    const file = join(folder, path)
    const text = spellings.reduce((now, [old, fresh]) => now.replaceAll(old, fresh), readFileSync(file, "utf8"))
    writeFileSync(file, text)
    if (path.includes("word-count")) renameSync(file, join(folder, path.replace("word-count", name)))
  }
}

function filesIn(folder: string, below = ""): readonly string[] {
  return readdirSync(join(folder, below))
    .sort()
    .flatMap((name) => {
      const path = below === "" ? name : `${below}/${name}`
      return statSync(join(folder, path)).isDirectory() ? filesIn(folder, path) : [path]
    })
}

function idOf(name: string): string {
  return name.replaceAll("-", "_")
}

function capital(word: string): string {
  return `${word[0]!.toUpperCase()}${word.slice(1)}`
}
