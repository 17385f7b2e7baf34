import type { Backend } from "../backend.js"
import { detectSeatbelt } from "./detect.js"
import { explainSeatbelt } from "./explain.js"
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
