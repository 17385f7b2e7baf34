import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import type { Detected, Missing } from "../backend.js"
import { fingerprint } from "../fingerprint.js"

const packageName = "@anthropic-ai/sandbox-runtime"

/** Looks for the optional package; it is not a dependency, and on Linux there is something better. */
export async function detectSrt(): Promise<Detected | Missing> {
  if (process.platform === "linux") return { found: false, reason: "it is used on macOS and Windows only" }
  try {
    const file = createRequire(import.meta.url).resolve(`${packageName}/package.json`)
    const { version, bin } = JSON.parse(readFileSync(file, "utf8")) as { version: string; bin: Record<string, string> }
    const program = join(dirname(file), bin.srt ?? "dist/cli.js")
    return {
      found: true,
      label: `srt ${version}`,
      fingerprint: fingerprint([program]),
      programs: { node: process.execPath, srt: program },
    }
  } catch {
    return { found: false, reason: "the package is not installed", fix: `npm install --global ${packageName}` }
  }
}
