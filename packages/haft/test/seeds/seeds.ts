import { seed000 } from "./seed-000.js"
import { seed001 } from "./seed-001.js"
import { seed002 } from "./seed-002.js"
import { seed003 } from "./seed-003.js"
import { seed004 } from "./seed-004.js"
import type { SeedStatement } from "./seed-statement.js"

/** The documents that Haft follows, each with its statements in their order. */
export const seeds: Readonly<Record<string, readonly SeedStatement[]>> = {
  "000: the built-in tools of the Asyar launcher": seed000,
  "001: tools of an agent system, the specification": seed001,
  "002: the built-in tools of LobeHub": seed002,
  "003: the tools of claw-code": seed003,
  "004: the tools of A3S Code": seed004,
}
