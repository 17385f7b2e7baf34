import type { ToolDefinition } from "@haft/contract"
import { clearTodos } from "./agents/clear-todos/index.js"
import { createPlan } from "./agents/create-plan/index.js"
import { createTodos } from "./agents/create-todos/index.js"
import { todoWrite } from "./agents/todo-write/index.js"
import { updatePlan } from "./agents/update-plan/index.js"
import { updateTodos } from "./agents/update-todos/index.js"
import { editFile } from "./files/edit-file/index.js"
import { readFiles } from "./files/read-files/index.js"
import { readText } from "./files/read-text/index.js"
import { writeFile } from "./files/write-file/index.js"
import { writeText } from "./files/write-text/index.js"
import { calculateExpression } from "./launcher/calculate-expression/index.js"
import { convertBase } from "./launcher/convert-base/index.js"
import { differentiateExpression } from "./launcher/differentiate-expression/index.js"
import { evaluateExpression } from "./launcher/evaluate-expression/index.js"
import { sortNumbers } from "./launcher/sort-numbers/index.js"
import { notebookEditFile } from "./notebook/notebook-edit-file/index.js"
import { globSearch } from "./search/glob-search/index.js"
import { grepSearch } from "./search/grep-search/index.js"
import { powershellStart } from "./shell/powershell-start/index.js"
import { runCode } from "./shell/run-code/index.js"
import { crawlPages } from "./web/crawl-pages/index.js"
import { webDigest } from "./web/web-digest/index.js"
import { webSearchEngines } from "./web/web-search-engines/index.js"

/** Tools that only dialects reach: the richer or narrower shapes that other systems give to the same work. */
export const dialectTools: readonly ToolDefinition[] = [
  readText,
  readFiles,
  writeText,
  writeFile,
  editFile,
  notebookEditFile,
  globSearch,
  grepSearch,
  powershellStart,
  runCode,
  todoWrite,
  createPlan,
  updatePlan,
  createTodos,
  updateTodos,
  clearTodos,
  calculateExpression,
  evaluateExpression,
  convertBase,
  sortNumbers,
  differentiateExpression,
  webDigest,
  webSearchEngines,
  crawlPages,
]
