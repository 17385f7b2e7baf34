import type { Backend } from "../backend.js"
import { detectBwrap } from "./detect.js"
import { explainBwrap } from "./explain.js"
import { wrapWithBwrap } from "./wrap.js"

/** bubblewrap: namespaces, a view built up from nothing, a system-call filter. */
export const bwrap: Backend = {
  name: "bwrap",
  level: "namespaces",
  detect: detectBwrap,
  wrap: wrapWithBwrap,
  explain: explainBwrap,
  reach: "relay",
  notes: () => [],
}
