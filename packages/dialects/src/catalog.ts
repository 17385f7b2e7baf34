import type { ToolDefinition } from "@haft/contract"
import { evalexpr } from "./asyar/tools/evalexpr/index.js"
import { writeText } from "./asyar/tools/write-text/index.js"
import { editFile } from "./claw/tools/edit-file/index.js"
import { findTools } from "./claw/tools/find-tools.js"
import { globSearch } from "./claw/tools/glob-search/index.js"
import { notebookEditFile } from "./claw/tools/notebook-edit-file/index.js"
import { powershellStart } from "./claw/tools/powershell-start/index.js"
import { runCode } from "./claw/tools/run-code/index.js"
import { todoWrite } from "./claw/tools/todo-write.js"
import { webDigest } from "./claw/tools/web-digest/index.js"
import { writeFile } from "./claw/tools/write-file/index.js"
import { calculateExpression } from "./lobe/tools/calculate-expression/index.js"
import { clearTodos } from "./lobe/tools/clear-todos/index.js"
import { convertBase } from "./lobe/tools/convert-base/index.js"
import { crawlPages } from "./lobe/tools/crawl-pages/index.js"
import { createPlan } from "./lobe/tools/create-plan/index.js"
import { createTodos } from "./lobe/tools/create-todos/index.js"
import { differentiateExpression } from "./lobe/tools/differentiate-expression.js"
import { evaluateExpression } from "./lobe/tools/evaluate-expression/index.js"
import { readFiles } from "./lobe/tools/read-files/index.js"
import { sortNumbers } from "./lobe/tools/sort-numbers/index.js"
import { updatePlan } from "./lobe/tools/update-plan/index.js"
import { updateTodos } from "./lobe/tools/update-todos/index.js"
import { insertLines } from "./native/tools/insert-lines.js"
import { grepSearch } from "./shared/tools/grep-search/index.js"
import { readText } from "./shared/tools/read-text/index.js"
import { webSearchEngines } from "./shared/tools/web-search-engines/index.js"

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
  findTools,
  todoWrite,
  createPlan,
  updatePlan,
  createTodos,
  updateTodos,
  clearTodos,
  evalexpr,
  calculateExpression,
  evaluateExpression,
  convertBase,
  sortNumbers,
  differentiateExpression,
  webDigest,
  webSearchEngines,
  crawlPages,
  insertLines,
]
