import type { AgentManifest } from "./open-agents.js"

const ours: Readonly<Record<string, string>> = {
  Agent: "task",
  AskUserQuestion: "question",
  Bash: "bash",
  BashOutput: "job_output",
  Edit: "edit",
  ExitPlanMode: "plan_exit",
  Glob: "glob",
  Grep: "grep",
  KillShell: "job_stop",
  LS: "ls",
  LSP: "lsp",
  MultiEdit: "edit",
  NotebookEdit: "notebook_edit",
  PowerShell: "powershell",
  Read: "read",
  Skill: "skill",
  Task: "task",
  TaskCreate: "todo",
  TaskGet: "todo",
  TaskList: "todo",
  TaskOutput: "job_output",
  TaskStop: "job_stop",
  TaskUpdate: "todo",
  TodoWrite: "todo",
  ToolSearch: "tool_search",
  WebFetch: "web_fetch",
  WebSearch: "web_search",
  Write: "write",
}

const writing = ["patch", "apply_patch", "move"]

// What else of ours does the same work, so that a denial of one tool of theirs leaves no way around it.
const alike: Readonly<Record<string, readonly string[]>> = {
  Bash: ["shell.run"],
  Edit: writing,
  Glob: ["find_files"],
  MultiEdit: writing,
  PowerShell: ["powershell_start"],
  WebFetch: ["http_request"],
  Write: writing,
}

/** An agent of Claude Code, or what is wrong with it: our tools have other names there, and a model such as `sonnet` names no provider. */
export function claudeAgent(
  { tools, deny = [], model, ...agent }: AgentManifest,
  disallowedTools: unknown,
): AgentManifest | string {
  const denied = deniedBy(disallowedTools)
  if (typeof denied === "string") return denied
  const denies = [...new Set([...deny, ...denied])]
  return {
    ...agent,
    ...(tools && { tools: tools.map(ourName) }),
    ...(denies.length > 0 && { deny: denies }),
    ...(model?.includes(":") && { model }),
  }
}

/** What `disallowedTools` denies, or what is wrong with it. `Bash(git:*)` denies the whole tool, as it does there. */
function deniedBy(value: unknown): readonly string[] | string {
  const texts = [value ?? []].flat()
  if (!texts.every((text) => typeof text === "string")) return "disallowedTools must be a list of names"
  // Commas and blanks divide, but not in parentheses. Each look is at one character: a project writes this.
  const words = texts.flatMap((text) => text.replace(/\([^()]*\)/g, "").split(/[\s,]/))
  const names = words.map((word) => word.split("(", 1)[0]!).filter((name) => name !== "")
  const vague = names.find((name) => !isOneTool(name))
  if (vague !== undefined)
    return `disallowedTools has "${vague.slice(0, 100)}", which names no single tool; write each by its name, for instance Bash or mcp__SERVER__TOOL`
  return names.flatMap((name) => [ourName(name), ...(Object.hasOwn(alike, name) ? alike[name]! : [])])
}

/** Rules name each tool of a server: a denial of `mcp__server` would deny nothing. */
function isOneTool(name: string): boolean {
  if (!name.startsWith("mcp__")) return /^(?:\*|[A-Za-z][\w.:-]*)$/.test(name)
  const between = name.indexOf("__", "mcp__".length + 1)
  return between > 0 && between + 2 < name.length && /^[\w-]+$/.test(name)
}

function ourName(name: string): string {
  return Object.hasOwn(ours, name) ? ours[name]! : name
}
