import type { Backend } from "../backend.js"
import { detectSrt } from "./detect.js"
import { explainSrt } from "./explain.js"
import { wrapWithSrt } from "./wrap.js"

/** The package sandbox-runtime, where a user installed it. */
export const srt: Backend = {
  name: "srt",
  level: "profile",
  detect: detectSrt,
  wrap: wrapWithSrt,
  explain: explainSrt,
  reach: "none",
  notes: () => ["commands have no network in this sandbox"],
}
