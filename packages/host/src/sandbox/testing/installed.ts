import { findOwnProgram } from "../environment/programs.js"

const folders = [...(process.env.PATH ?? "").split(":"), "/usr/bin", "/bin", "/usr/sbin", "/sbin"]

/** Backends of this machine that sandboxes can be tested with; says aloud which are missing. */
export const backendsHere = (["bwrap", "unshare"] as const).filter((name) => {
  const isHere = process.platform === "linux" && findOwnProgram(name, folders) !== undefined
  if (!isHere) console.warn(`not tested here: ${name} is not installed`)
  return isHere
})

/** Whether a program is here; says aloud when not. */
export function isInstalled(name: string): boolean {
  const isHere = findOwnProgram(name, folders) !== undefined
  if (!isHere) console.warn(`not tested here: ${name} is not installed`)
  return isHere
}
