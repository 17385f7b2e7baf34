import type { Dialect } from "@haft/contract"
import { editRow, lsRow, patchRow, writeRow } from "./a3s/file-rows.js"
import { gitRow } from "./a3s/git-row.js"
import { bashRow, boxRow } from "./a3s/process-rows.js"
import { project } from "./a3s/project.js"
import { readRow } from "./a3s/read-row.js"
import { globRow, grepRow } from "./a3s/search-rows.js"
import { webFetchRow, webSearchRow } from "./a3s/web-rows.js"

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
