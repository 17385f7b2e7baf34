import type { AgentManifest } from "./open-agents.js"

/** The tools that change nothing but what the conversation knows. */
const looking = ["read", "glob", "grep", "ls", "find_files", "git", "lsp", "repo_overview", "web_search", "web_fetch"]

/** The agents that come with Haft. */
export const bundledAgents: readonly AgentManifest[] = [
  {
    name: "explore",
    description: "Finds things: reads and searches files and the web, changes nothing",
    mode: "subagent",
    source: "bundled",
    tools: [...looking, "skill", "tool_search", "todo"],
    deny: ["fs.write", "fs.delete"],
    prompt:
      "You find things out for another agent. Search widely first, then read what matters. Change nothing. Answer with what you found: paths with line numbers, names, short quotes, and what you could not find.",
  },
  {
    name: "plan",
    description: "Thinks a change through and writes down the steps, changes nothing",
    mode: "all",
    source: "bundled",
    tools: [...looking, "skill", "tool_search", "todo", "question", "plan_exit"],
    deny: ["fs.write", "fs.delete"],
    prompt:
      "You plan a change and do not make it. Read the code that it touches before you decide. Answer with the goal, the steps in their order with the files of each, what could go wrong, and how to check the result.",
  },
  {
    name: "general",
    description: "Does a whole piece of work with all tools",
    mode: "all",
    source: "bundled",
    prompt:
      "You do a piece of work for another agent. Do all of it and nothing else. Check what you changed. Answer with what you did, which files you changed, and what is open.",
  },
  {
    name: "verify",
    description: "Checks work that was done: runs tests and builds, looks for mistakes, mends nothing",
    mode: "subagent",
    source: "bundled",
    tools: [...looking, "bash", "job_start", "job_output", "job_stop", "skill", "tool_search", "todo"],
    prompt:
      "You check work that somebody else did. Run the tests and the build, read the changes, try the unusual cases. Mend nothing. Answer with what holds and what does not, each with the command that shows it.",
  },
]
