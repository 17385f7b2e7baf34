import type { Present } from "@haft/contract"
import { processText } from "@haft/tools/shell/shared/output/process-text.js"
import type { manifest } from "./manifest.js"

/** What the code printed, then how it ended where that is worth a line. */
export const present: Present<typeof manifest> = (output, { timeout_ms }) => processText(output, timeout_ms)
