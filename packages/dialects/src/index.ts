export { type DialectName, dialectNamed, dialectNames, dialectTools, loadDialect } from "./dialects.js"
export { type ForeignSettings, foreignPolicy } from "./foreign-policy.js"
export type { ForeignPolicy } from "./shared/permissions/foreign-policy.js"
