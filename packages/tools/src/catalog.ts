import type { ToolDefinition } from "@haft/contract"
import { skill } from "./agents/skill/index.js"
import { task } from "./agents/task.js"
import { todo } from "./agents/todo.js"
import { toolSearch } from "./agents/tool-search.js"
import { git } from "./code/git/index.js"
import { lsp } from "./code/lsp.js"
import { repoClone } from "./code/repo-clone/index.js"
import { repoOverview } from "./code/repo-overview/index.js"
import { applyPatch } from "./files/apply-patch/index.js"
import { edit } from "./files/edit/index.js"
import { ls } from "./files/ls.js"
import { move } from "./files/move/index.js"
import { patch } from "./files/patch/index.js"
import { read } from "./files/read/index.js"
import { write } from "./files/write/index.js"
import { calculator } from "./launcher/calculator/index.js"
import { clipboardRead } from "./launcher/clipboard-read.js"
import { clipboardWrite } from "./launcher/clipboard-write.js"
import { indexSearch } from "./launcher/index-search.js"
import { notebookEdit } from "./notebook/notebook-edit/index.js"
import { planExit } from "./person/plan-exit.js"
import { question } from "./person/question/index.js"
import { findFiles } from "./search/find-files/index.js"
import { glob } from "./search/glob/index.js"
import { grep } from "./search/grep/index.js"
import { bash } from "./shell/bash/index.js"
import { box } from "./shell/box/index.js"
import { exec } from "./shell/exec/index.js"
import { jobInput } from "./shell/job-input/index.js"
import { jobOutput } from "./shell/job-output/index.js"
import { jobStart } from "./shell/job-start/index.js"
import { jobStop } from "./shell/job-stop/index.js"
import { powershell } from "./shell/powershell/index.js"
import { repl } from "./shell/repl/index.js"
import { config } from "./system/config.js"
import { sendUserMessage } from "./system/send-user-message.js"
import { sleep } from "./system/sleep.js"
import { structuredOutput } from "./system/structured-output.js"
import { httpRequest } from "./web/http-request/index.js"
import { webFetch } from "./web/web-fetch/index.js"
import { webSearch } from "./web/web-search/index.js"

/** The built-in tools, in the order in which models are shown them. */
// biome-ignore format: a line for each tool
export const catalog = [
  read,
  write,
  edit,
  glob,
  grep,
  bash,
  todo,
  task,
  question,
  webSearch,
  webFetch,
  skill,
  toolSearch,
  ls,
  patch,
  applyPatch,
  move,
  findFiles,
  git,
  lsp,
  repoClone,
  repoOverview,
  notebookEdit,
  planExit,
  jobStart,
  jobOutput,
  jobInput,
  jobStop,
  box,
  calculator,
  clipboardRead,
  clipboardWrite,
  indexSearch,
  exec,
  httpRequest,
  sleep,
  sendUserMessage,
  config,
  structuredOutput,
  repl,
  powershell,
] as const satisfies readonly ToolDefinition[]

/** The built-in tools by id, for types. */
export type BuiltinTools = { [Tool in (typeof catalog)[number] as Tool["manifest"]["id"]]: Tool["manifest"] }
