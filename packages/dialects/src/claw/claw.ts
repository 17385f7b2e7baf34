import type { Dialect } from "@haft/contract"
import { agentRow, skillRow, todoWriteRow, toolSearchRow } from "./agent-rows.js"
import { editFileRow, readFileRow, writeFileRow } from "./file-rows.js"
import { notebookEditRow } from "./notebook-row.js"
import { project } from "./project.js"
import { globSearchRow, grepSearchRow } from "./search-rows.js"
import { bashRow, powerShellRow, replRow } from "./shell-rows.js"
import { configRow, sendUserMessageRow, sleepRow, structuredOutputRow } from "./system-rows.js"
import { webFetchRow, webSearchRow } from "./web-rows.js"

/** The tools as claw-code knows them: a string that holds pretty JSON, or an error string. */
export const claw: Dialect = {
  name: "claw",
  tools: [
    bashRow,
    readFileRow,
    writeFileRow,
    editFileRow,
    globSearchRow,
    grepSearchRow,
    webFetchRow,
    webSearchRow,
    todoWriteRow,
    skillRow,
    agentRow,
    toolSearchRow,
    notebookEditRow,
    sleepRow,
    sendUserMessageRow,
    configRow,
    structuredOutputRow,
    replRow,
    powerShellRow,
  ],
  project,
}
