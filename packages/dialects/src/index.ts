export { type DialectName, dialectNamed, dialectNames, dialectTools, loadDialect } from "./dialects.js"
export { type ForeignSettings, foreignPolicy, policyNamed, policyNames } from "./foreign-policy.js"
export type { ForeignPolicy } from "./shared/permissions/foreign-policy.js"
