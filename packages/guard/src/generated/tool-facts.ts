// Made by npm run build from the manifests of the tools.
import type { DefaultRule, Subject } from "@haft/contract"

/** What rules must know about a tool before it is loaded. */
export interface ToolFacts {
  readonly defaults?: readonly DefaultRule[]
  readonly subjectKind?: Subject["kind"]
  /** True where a call runs a command, so that a pattern with an open end may run anything. */
  readonly runsCommands?: boolean
}

/** By the id of the tool; those of which nothing is to be known have none. */
// biome-ignore format: a line for each tool
export const toolFacts: Readonly<Record<string, ToolFacts>> = {
  bash: {"subjectKind":"command","runsCommands":true},
  todo: {"defaults":[{"action":"allow"}]},
  task: {"defaults":[{"action":"allow"}]},
  question: {"defaults":[{"action":"allow"}]},
  web_fetch: {"defaults":[{"action":"allow","patterns":["@docs"]}],"subjectKind":"host"},
  skill: {"defaults":[{"action":"allow"}]},
  tool_search: {"defaults":[{"action":"allow"}]},
  plan_exit: {"defaults":[{"action":"allow"}]},
  job_start: {"subjectKind":"command","runsCommands":true},
  job_output: {"defaults":[{"action":"allow"}]},
  job_input: {"subjectKind":"command","runsCommands":true},
  job_stop: {"defaults":[{"action":"allow"}]},
  calculator: {"defaults":[{"action":"allow"}]},
  clipboard_read: {"defaults":[{"action":"ask","why":"the clipboard may hold anything, a password too","final":true}]},
  index_search: {"defaults":[{"action":"allow"}]},
  exec: {"subjectKind":"command","runsCommands":true},
  http_request: {"subjectKind":"command"},
  sleep: {"defaults":[{"action":"allow"}]},
  send_user_message: {"defaults":[{"action":"allow"}]},
  config: {"defaults":[{"action":"allow"}]},
  structured_output: {"defaults":[{"action":"allow"}]},
  repl: {"subjectKind":"command","runsCommands":true},
  powershell: {"subjectKind":"command","runsCommands":true},
  powershell_start: {"subjectKind":"command","runsCommands":true},
  run_code: {"subjectKind":"command","runsCommands":true},
}
