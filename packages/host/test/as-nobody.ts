import { execFile } from "node:child_process"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { build } from "esbuild"

/** The number of a user and a group that nobody is. */
export const nobody = 65534

/** A program of the tests that runs as an ordinary user; only user 0 can start it. */
export interface NobodysProgram {
  /** Runs it with these arguments and gives what it printed as JSON. */
  run(...args: readonly string[]): Promise<unknown>
  remove(): void
}

/** Bundles a TypeScript file into a folder that everybody can read. */
export async function programForNobody(source: URL): Promise<NobodysProgram> {
  const folder = mkdtempSync(join(tmpdir(), "haft-user-"))
  chmodSync(folder, 0o755)
  const program = join(folder, "program.mjs")
  await build({
    entryPoints: [fileURLToPath(source)],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["haft-source"],
    logLevel: "silent",
  })
  return {
    async run(...args) {
      const { stdout } = await promisify(execFile)(
        "setpriv",
        [`--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups", process.execPath, program, ...args],
        { env: { HOME: "/nonexistent", PATH: "/usr/bin:/bin:/usr/sbin:/sbin", LANG: "C.UTF-8" }, cwd: "/" },
      )
      return JSON.parse(stdout)
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
