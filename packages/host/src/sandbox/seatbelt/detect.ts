import { existsSync } from "node:fs"
import type { Detected, Missing } from "../backend.js"
import { fingerprint } from "../fingerprint.js"

// Always this path: a program of the same name on PATH could be anybody's.
const program = "/usr/bin/sandbox-exec"

/** Looks for the sandbox of macOS. */
export async function detectSeatbelt(): Promise<Detected | Missing> {
  if (process.platform !== "darwin") return { found: false, reason: "it exists for macOS only" }
  if (!existsSync(program)) return { found: false, reason: `${program} does not exist` }
  return { found: true, label: "seatbelt", fingerprint: fingerprint([program]), programs: { "sandbox-exec": program } }
}
