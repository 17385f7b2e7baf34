import { existsSync } from "node:fs"
import type { Backend, Detected, EndOfSandbox, Missing } from "../backend.js"
import { fingerprint } from "../environment/programs.js"
import { wrapWithSeatbelt } from "./wrap.js"

/** The sandbox of macOS: rules on paths and networks, no view of its own. */
export const seatbelt: Backend = {
  name: "seatbelt",
  level: "profile",
  detect: detectSeatbelt,
  wrap: wrapWithSeatbelt,
  explain: explainSeatbelt,
  reach: "port",
  notes: () => ["files outside the sandbox cannot be read, but can be seen to exist"],
}

// Always this path: a program of the same name on PATH could be anybody's.
const program = "/usr/bin/sandbox-exec"

/** Looks for the sandbox of macOS. */
async function detectSeatbelt(): Promise<Detected | Missing> {
  if (process.platform !== "darwin") return { found: false, reason: "it exists for macOS only" }
  if (!existsSync(program)) return { found: false, reason: `${program} does not exist` }
  return { found: true, label: "seatbelt", fingerprint: fingerprint([program]), programs: { "sandbox-exec": program } }
}

/** sandbox-exec answers with 64 to 78 when it does not understand the profile or cannot start the program. */
export function explainSeatbelt({ stderrTail, exitCode }: EndOfSandbox): string | undefined {
  if (exitCode === null || exitCode < 64 || exitCode > 78) return undefined
  const line = stderrTail.split("\n").findLast((text) => text.startsWith("sandbox-exec: "))
  return line?.slice("sandbox-exec: ".length).trim()
}
