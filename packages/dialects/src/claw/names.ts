/** The names of claw's tools by the ids that a search of ours finds; what has no name there cannot be called there. */
const names: Readonly<Record<string, string>> = {
  web_fetch: "WebFetch",
  web_digest: "WebFetch",
  web_search: "WebSearch",
  web_search_engines: "WebSearch",
  todo: "TodoWrite",
  todo_write: "TodoWrite",
  skill: "Skill",
  task: "Agent",
  tool_search: "ToolSearch",
  find_tools: "ToolSearch",
  notebook_edit: "NotebookEdit",
  notebook_edit_file: "NotebookEdit",
  sleep: "Sleep",
  send_user_message: "SendUserMessage",
  config: "Config",
  structured_output: "StructuredOutput",
  repl: "REPL",
  run_code: "REPL",
  powershell: "PowerShell",
  powershell_start: "PowerShell",
}

/** Claw's own tools that are found by searching, by name. */
export const deferredNames: readonly string[] = [...new Set(Object.values(names))].toSorted()

/** How many of claw's own tools are found by searching rather than always offered. */
export const deferredCount = deferredNames.length

/** The name for one of our ids; tools of servers and extensions keep theirs, other tools of ours have none. */
export function clawName(id: string): string | undefined {
  return names[id] ?? (/__|:/.test(id) ? id : undefined)
}

/** Our ids for a name, however it is written; the name itself when it is none of claw's. */
export function ourIds(name: string): readonly string[] {
  const token = canonicalToken(name)
  const ids = Object.keys(names).filter((id) => canonicalToken(names[id]!) === token)
  return ids.length === 0 ? [name] : ids
}

/** A name without case, marks and a trailing "tool". */
export function canonicalToken(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
    .replace(/tool$/, "")
}
