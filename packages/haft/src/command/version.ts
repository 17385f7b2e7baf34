import { readFileSync } from "node:fs"
import type { Run } from "./command.js"
import { exitCodes } from "./exit-code.js"
import { packagePath } from "./package-folder.js"
import { printValue } from "./print.js"

/** `haft version`: the version of this package. */
export const run: Run = async (invocation, io) => {
  const version = packageVersion()
  printValue(invocation, io, { version }, () => version)
  return exitCodes.ok
}

export function packageVersion(): string {
  return (JSON.parse(readFileSync(packagePath("package.json"), "utf8")) as { version: string }).version
}
