import { realpathSync } from "node:fs"
import { delimiter, join } from "node:path"
import { bestEffort } from "@haft/contract"
import type { Environment } from "../config/places.js"
import { packagePath } from "./package-folder.js"

/** A program and its first arguments. */
export interface ProgramStart {
  readonly command: string
  readonly args: readonly string[]
}

/** How another program starts this copy of Haft: by its name where the PATH leads to it, otherwise by its path. */
export function ownCommand(env: Environment): ProgramStart {
  const script = realpathSync(packagePath("bin/haft.cjs"))
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "" && !isOfOneFolder.test(folder))
  const isInPath = folders.some((folder) => leadsTo(join(folder, "haft")) === script)
  return isInPath ? { command: "haft", args: [] } : { command: process.execPath, args: [script] }
}

// npx, npm scripts and a shell put it in front of the PATH; an editor that is started elsewhere has no such PATH.
const isOfOneFolder = /node_modules[\\/]\.bin[\\/]?$/

function leadsTo(path: string): string | undefined {
  return bestEffort("most folders of a PATH have no program of ours", () => realpathSync(path))
}

/** A word for a shell, in quotes where it needs them. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
