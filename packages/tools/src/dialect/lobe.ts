import type { Dialect } from "@haft/contract"
import { clearTodos } from "../agents/clear-todos/index.js"
import { createPlan } from "../agents/create-plan/index.js"
import { createTodos } from "../agents/create-todos/index.js"
import { updatePlan } from "../agents/update-plan/index.js"
import { updateTodos } from "../agents/update-todos/index.js"
import { readFiles } from "../files/read-files/index.js"
import { calculateExpression } from "../launcher/calculate-expression/index.js"
import { convertBase } from "../launcher/convert-base/index.js"
import { differentiateExpression } from "../launcher/differentiate-expression/index.js"
import { evaluateExpression } from "../launcher/evaluate-expression/index.js"
import { sortNumbers } from "../launcher/sort-numbers/index.js"
import { grepSearch } from "../search/grep-search/index.js"
import { crawlPages } from "../web/crawl-pages/index.js"
import { webSearchEngines } from "../web/web-search-engines/index.js"
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
  workers: [
    readFiles,
    grepSearch,
    webSearchEngines,
    crawlPages,
    calculateExpression,
    evaluateExpression,
    convertBase,
    sortNumbers,
    differentiateExpression,
    createPlan,
    updatePlan,
    createTodos,
    updateTodos,
    clearTodos,
  ],
  wireName,
  project: (result, row, input) => project(result, row, { input, identifiers }),
}
