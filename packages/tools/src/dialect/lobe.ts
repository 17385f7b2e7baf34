import type { Dialect } from "@haft/contract"
import { calculatorRows } from "./lobe/calculator-rows.js"
import { getCommandOutputRow, killCommandRow, runCommandRow } from "./lobe/command-rows.js"
import { gtdRows } from "./lobe/gtd-rows.js"
import {
  editLocalFileRow,
  listLocalFilesRow,
  moveLocalFilesRow,
  renameLocalFileRow,
  writeLocalFileRow,
} from "./lobe/local-file-rows.js"
import { readLocalFileRow, readLocalFilesRow } from "./lobe/local-read-rows.js"
import { globLocalFilesRow, grepContentRow, searchLocalFilesRow } from "./lobe/local-search-rows.js"
import { project } from "./lobe/project.js"
import { webRows } from "./lobe/web-rows.js"
import { partsOf, wireName } from "./lobe/wire-name.js"

const tools: Dialect["tools"] = [
  listLocalFilesRow,
  readLocalFileRow,
  readLocalFilesRow,
  searchLocalFilesRow,
  moveLocalFilesRow,
  renameLocalFileRow,
  writeLocalFileRow,
  editLocalFileRow,
  runCommandRow,
  getCommandOutputRow,
  killCommandRow,
  grepContentRow,
  globLocalFilesRow,
  ...webRows,
  ...calculatorRows,
  ...gtdRows,
]

const identifiers = [...new Set(tools.map(({ name }) => partsOf(name)[0]))]

/** The tools as LobeHub knows them: `{success, content, state, error}`. */
export const lobe: Dialect = {
  name: "lobe",
  tools,
  wireName,
  project: (result, row, input) => project(result, row, { input, identifiers }),
}
