import type { Dialect } from "@haft/contract"
import { agentRow, skillRow, todoWriteRow, toolSearchRow } from "./claw/agent-rows.js"
import { editFileRow, readFileRow, writeFileRow } from "./claw/file-rows.js"
import { notebookEditRow } from "./claw/notebook-row.js"
import { project } from "./claw/project.js"
import { globSearchRow, grepSearchRow } from "./claw/search-rows.js"
import { bashRow, powerShellRow, replRow } from "./claw/shell-rows.js"
import { configRow, sendUserMessageRow, sleepRow, structuredOutputRow } from "./claw/system-rows.js"
import { webFetchRow, webSearchRow } from "./claw/web-rows.js"

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
