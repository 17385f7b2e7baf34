import { linuxTable } from "./linux.js"
import { portableTable } from "./portable.js"
import type { ProcessTable } from "./process-table.js"

/** The process table of this machine. */
export const processTable: ProcessTable = process.platform === "linux" ? linuxTable : portableTable
