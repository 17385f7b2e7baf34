import type { Stats } from "node:fs"
import { ToolError } from "@haft/contract"
import type { Target } from "../walk/walk.js"

/** Throws `unsupported` for anything that is not a regular file, before it is opened. */
export function assertRegular(facts: Stats, target: Target): void {
  if (facts.isFile()) return
  const { action, shown } = target
  if (facts.isDirectory()) {
    throw new ToolError("unsupported", `Cannot ${action} "${shown}": it is a directory`, {
      hint: { say: "List it with {tool:ls|glob}" },
    })
  }
  throw new ToolError(
    "unsupported",
    `Cannot ${action} "${shown}": it is ${kindOf(facts)}; only regular files can be used`,
  )
}

function kindOf(facts: Stats): string {
  if (facts.isFIFO()) return "a FIFO"
  if (facts.isSocket()) return "a socket"
  if (facts.isCharacterDevice() || facts.isBlockDevice()) return "a device"
  return "no regular file"
}
