import type { Dialect } from "@haft/contract"
import { fsReadRow, fsWriteRow } from "./file-rows.js"
import { calculatorRow, clipboardReadRow, clipboardWriteRow, searchRow } from "./launcher-rows.js"
import { shellExecRow } from "./process-row.js"
import { project } from "./project.js"
import { webFetchRow } from "./web-row.js"
import { wireName } from "./wire-name.js"

/** The tools as the Asyar launcher knows them: a bare JSON value, or an error. Arguments that it does not know are passed over. */
export const asyar: Dialect = {
  name: "asyar",
  tools: [
    calculatorRow,
    clipboardReadRow,
    clipboardWriteRow,
    fsReadRow,
    fsWriteRow,
    shellExecRow,
    webFetchRow,
    searchRow,
  ],
  wireName,
  project,
}
