import { spawn } from "node:child_process"
import { rgPath } from "@vscode/ripgrep"

/** Runs ripgrep, reads its output, and kills it after `stopAfter` lines. Resolves to the number of lines. */
export function ripgrep(
  cwd: string,
  options: readonly string[],
  stopAfter = Number.POSITIVE_INFINITY,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(rgPath, ["--no-config", ...options], { cwd, stdio: ["ignore", "pipe", "ignore"] })
    let lines = 0
    child.stdout.on("data", (piece: Buffer) => {
      for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines++
      if (lines >= stopAfter) child.kill("SIGKILL")
    })
    child.on("error", reject)
    child.on("close", () => resolve(lines))
  })
}
