import type { ToolDefinition } from "@haft/contract"
import { todo } from "./agents/todo/index.js"
import { git } from "./code/git/index.js"
import { lsp } from "./code/lsp/index.js"
import { repoClone } from "./code/repo-clone/index.js"
import { repoOverview } from "./code/repo-overview/index.js"
import { edit } from "./files/edit/index.js"
import { ls } from "./files/ls/index.js"
import { patch } from "./files/patch/index.js"
import { read } from "./files/read/index.js"
import { write } from "./files/write/index.js"
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
  ls,
  patch,
  git,
  lsp,
  repoClone,
  repoOverview,
  jobStart,
  jobOutput,
  jobInput,
  jobStop,
  box,
  exec,
  repl,
  powershell,
] as const satisfies readonly ToolDefinition[]

/** The built-in tools by id, for types. */
export type BuiltinTools = { [Tool in (typeof catalog)[number] as Tool["manifest"]["id"]]: Tool["manifest"] }
