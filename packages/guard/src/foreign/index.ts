export { type A3sPolicy, type A3sRule, compileA3s } from "./a3s.js"
export { type AsyarSettings, type AsyarTriple, compileAsyar } from "./asyar.js"
export { type ClawMode, type ClawSettings, clawModes, compileClaw } from "./claw.js"
export type { ForeignNames, ForeignPolicy } from "./foreign-policy.js"
export {
  compileLobe,
  type LobeApprovalMode,
  type LobeBlacklistRule,
  type LobePolicy,
  type LobeRule,
  type LobeSettings,
  lobeApprovalModes,
} from "./lobe.js"
export type { LobeMatcher } from "./lobe-matcher.js"
