import type { AgentManifest } from "./open-agents.js"

const ours: Readonly<Record<string, string>> = {
  Bash: "bash",
  BashOutput: "job_output",
  Edit: "edit",
  Glob: "glob",
  Grep: "grep",
  KillShell: "job_stop",
  LS: "ls",
  MultiEdit: "edit",
  NotebookEdit: "notebook_edit",
  Read: "read",
  Skill: "skill",
  Task: "task",
  TodoWrite: "todo",
  WebFetch: "web_fetch",
  WebSearch: "web_search",
  Write: "write",
}

/** An agent of Claude Code: our tools have other names there, and a model such as `sonnet` names no provider. */
export function claudeAgent({ tools, model, ...agent }: AgentManifest): AgentManifest {
  return {
    ...agent,
    ...(tools && { tools: tools.map((name) => (Object.hasOwn(ours, name) ? ours[name]! : name)) }),
    ...(model?.includes(":") && { model }),
  }
}
