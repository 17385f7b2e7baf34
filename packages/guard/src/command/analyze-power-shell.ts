import type { CommandAnalysis } from "./command-analysis.js"
import { opaquePart } from "./shell/walk.js"

/** Only PowerShell's own parser could tell what its text does, so all of it is one opaque part. */
export function analyzePowerShell(text: string): CommandAnalysis {
  return { text, parts: [opaquePart(text, "/", "PowerShell is not followed here")], parsed: false }
}
