import type { ToolDefinition } from "@haft/contract"
import { todo } from "./agents/todo/index.js"
import { edit } from "./files/edit/index.js"
import { ls } from "./files/ls/index.js"
import { patch } from "./files/patch/index.js"
import { read } from "./files/read/index.js"
import { write } from "./files/write/index.js"
import { glob } from "./search/glob/index.js"
import { grep } from "./search/grep/index.js"

/** The built-in tools, in the order in which models are shown them. */
// biome-ignore format: a line for each tool
export const catalog = [
  read,
  write,
  edit,
  glob,
  grep,
  todo,
  ls,
  patch,
] as const satisfies readonly ToolDefinition[]

/** The built-in tools by id, for types. */
export type BuiltinTools = { [Tool in (typeof catalog)[number] as Tool["manifest"]["id"]]: Tool["manifest"] }
