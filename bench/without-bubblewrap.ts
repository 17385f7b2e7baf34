import { spawnSync } from "node:child_process"
import { minimalSandbox } from "./raw/sandbox-arguments.js"

/** Why nothing can be measured behind bubblewrap here; undefined when it works. */
export async function withoutBubblewrap(): Promise<string | undefined> {
  const { status } = spawnSync("bwrap", [...minimalSandbox, "true"], { stdio: "ignore" })
  return status === 0 ? undefined : "bubblewrap does not work here; see haft doctor"
}
