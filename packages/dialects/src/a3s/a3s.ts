import type { Dialect } from "@haft/contract"
import { editRow, lsRow, patchRow, writeRow } from "./file-rows.js"
import { gitRow } from "./git-row.js"
import { bashRow, boxRow } from "./process-rows.js"
import { project } from "./project.js"
import { readRow } from "./read-row.js"
import { globRow, grepRow } from "./search-rows.js"
import { webFetchRow, webSearchRow } from "./web-rows.js"

/** The tools as A3S Code knows them: `{content, success, metadata}`. */
export const a3s: Dialect = {
  name: "a3s",
  tools: [
    readRow,
    writeRow,
    editRow,
    patchRow,
    bashRow,
    grepRow,
    globRow,
    lsRow,
    webFetchRow,
    boxRow,
    gitRow,
    webSearchRow,
  ],
  project,
}
