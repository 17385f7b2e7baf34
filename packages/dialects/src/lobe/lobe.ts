import type { Dialect } from "@haft/contract"
import { calculatorRows } from "./calculator-rows.js"
import { getCommandOutputRow, killCommandRow, runCommandRow } from "./command-rows.js"
import { gtdRows } from "./gtd-rows.js"
import { lobeIntervention } from "./intervention.js"
import {
  editLocalFileRow,
  listLocalFilesRow,
  moveLocalFilesRow,
  renameLocalFileRow,
  writeLocalFileRow,
} from "./local-file-rows.js"
import { readLocalFileRow, readLocalFilesRow } from "./local-read-rows.js"
import { globLocalFilesRow, grepContentRow, searchLocalFilesRow } from "./local-search-rows.js"
import { project } from "./project.js"
import { prompts } from "./prompts.js"
import { webRows } from "./web-rows.js"
import { partsOf, wireName } from "./wire-name.js"

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

const packageTitles: Readonly<Record<string, string>> = {
  "lobe-local-system": "Local System",
  "lobe-web-browsing": "Web Browsing",
  "lobe-calculator": "Calculator",
  "lobe-gtd": "GTD Tools",
}

/** The tools as LobeHub knows them: `{success, content, state, error}`. */
export const lobe: Dialect = {
  name: "lobe",
  tools,
  prompts,
  descriptor: ({ name }) => {
    const [identifier, apiName] = partsOf(name)
    return {
      identifier,
      apiName,
      meta: { title: packageTitles[identifier] },
      humanIntervention: lobeIntervention(name),
    }
  },
  wireName,
  project: (result, row, input) => project(result, row, { input, identifiers }),
}
