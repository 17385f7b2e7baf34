import type { Backend } from "../backend.js"
import { detectUnshare } from "./detect.js"
import { explainUnshare } from "./explain.js"
import { wrapWithUnshare } from "./wrap.js"

/** Programs of util-linux: the same namespaces and view, without a system-call filter. */
export const unshare: Backend = {
  name: "unshare",
  level: "namespaces",
  detect: detectUnshare,
  wrap: (plan, detected) => wrapWithUnshare(plan, detected),
  explain: explainUnshare,
  reach: "relay",
  notes: ({ programs }) =>
    programs.ip === undefined ? ["the loopback interface is down: the program ip is not installed"] : [],
}
