import type { Present } from "@haft/contract"
import { processText } from "../shared/output/process-text.js"
import { defaultTimeoutMs } from "../shared/time-limits.js"
import type { manifest } from "./manifest.js"

/** What the program printed, then how it ended where that is worth a line. */
export const present: Present<typeof manifest> = (output) => processText(output, defaultTimeoutMs)
