import type { Dialect } from "@haft/contract"
import { fsReadRow, fsWriteRow } from "./asyar/file-rows.js"
import { calculatorRow, clipboardReadRow, clipboardWriteRow, searchRow } from "./asyar/launcher-rows.js"
import { shellExecRow } from "./asyar/process-row.js"
import { project } from "./asyar/project.js"
import { webFetchRow } from "./asyar/web-row.js"
import { wireName } from "./asyar/wire-name.js"

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
