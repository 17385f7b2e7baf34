import { statSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { bestEffort, ToolError } from "@haft/contract"
import { realPath } from "../config/check-places.js"
import type { Io } from "./io.js"

/** Refuses to record where no new file can be, before anything is opened; `model` may be a script that is read. */
export function checkRecord(record: string | undefined, model: string | undefined, { cwd }: Pick<Io, "cwd">): void {
  if (record === undefined) return
  const file = resolve(cwd, record)
  const script = /^script:(.+)$/s.exec(model ?? "")?.[1]
  if (script !== undefined && record !== "" && realPath(resolve(cwd, script)) === realPath(file))
    throw refused(record, "it is the script that is replayed", "Give --record another file")
  const reason = record === "" ? "it is no path" : placeProblem(file)
  if (reason !== undefined)
    throw refused(record, reason, "Give --record the path of a new file in a folder that exists")
}

function placeProblem(file: string): string | undefined {
  if (!isFolder(dirname(file))) return "its folder does not exist"
  return isFolder(file) ? "it is a folder" : undefined
}

function isFolder(path: string): boolean {
  return bestEffort("what cannot be seen is no folder", () => statSync(path).isDirectory()) === true
}

function refused(record: string, reason: string, hint: string): ToolError {
  return new ToolError("invalid_args", `Cannot record into "${record}": ${reason}`, { hint })
}
