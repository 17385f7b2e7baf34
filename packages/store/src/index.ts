export type { ChainHead, ChainLink } from "./call-record.js"
export { createId, type IdPrefix } from "./create-id.js"
export type { ExportLine } from "./export-session.js"
export type { Owner } from "./lease/owner.js"
export { type OpenStoreOptions, openStore } from "./open-store.js"
export { createRedactor, type KnownSecret, type Redactor } from "./redact/create-redactor.js"
export type {
  ChainFailure,
  ClaimOptions,
  SessionFilter,
  SessionLease,
  SessionPart,
  SessionSummary,
  Store,
  VerifyReport,
} from "./store.js"
