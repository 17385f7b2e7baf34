import type { SeedStatement } from "./seed-statement.js"

const here = "packages/haft/test/seeds/seed-001.test.ts"

/** The statements of the specification of tools, in its order. */
export const seed001: readonly SeedStatement[] = [
  {
    id: "001-1",
    statement: "Every tool publishes id, description, parameters, requires and execute; one contract for all",
    state: "works",
    test: here,
  },
  {
    id: "001-2",
    statement: "Parameters are validated before execute; a schema failure is a tool error and not an exception",
    state: "works",
    test: here,
  },
  {
    id: "001-3",
    statement:
      "The effective set is the union of the agent manifest's requires and every tool's, within the host's grant",
    state: "works",
    test: here,
  },
  {
    id: "001-4",
    statement: "Adding a tool extends the agent's reach without an edit of the manifest",
    state: "works",
    test: "packages/haft/test/library.test.ts",
  },
  {
    id: "001-5",
    statement: "The locked set is shipped under its thirteen names: all but task are there",
    state: "works",
    test: here,
  },
  { id: "001-6", statement: "task spawns a subagent", state: "waits", waits: "agent" },
  { id: "001-7", statement: "The capability that each locked tool declares", state: "works", test: here },
  {
    id: "001-8",
    statement: "A locked id is never redefined with a richer shape",
    state: "works",
    test: "packages/tools/src/locked.test.ts",
  },
  {
    id: "001-9",
    statement: "edit is string replacement, bash a single command, web_search a query with results",
    state: "works",
    test: here,
  },
  {
    id: "001-10",
    statement: "Common extensions lie outside the lock: repo_clone, repo_overview, apply_patch, lsp, plan_exit",
    state: "works",
    test: here,
  },
  {
    id: "001-11",
    statement: "question pauses the run until a person answers, with one list of answers for each question",
    state: "works",
    test: here,
  },
  { id: "001-12", statement: "A wait for a person survives the process", state: "waits", waits: "agent" },
  {
    id: "001-13",
    statement: "Without a person question is a tool error of a fixed text, and ask is deny",
    state: "works",
    test: here,
  },
  {
    id: "001-14",
    statement: "The body of a skill loads on demand, only its line is in the prompt",
    state: "works",
    test: "packages/haft/test/skills.test.ts",
  },
  { id: "001-15", statement: "tool_search finds what is not listed and never what is", state: "works", test: here },
  { id: "001-16", statement: "Tools of MCP servers live in an index", state: "waits", waits: "agent" },
  {
    id: "001-17",
    statement: "web_search is capped by session and by time, 25 calls and 15 seconds",
    state: "works",
    test: "packages/tools/src/web/web-search/execute.test.ts",
  },
  {
    id: "001-18",
    statement: "The provider of web_search is the same for a session",
    state: "works",
    test: "packages/tools/src/web/web-search/execute.test.ts",
  },
  {
    id: "001-19",
    statement: "A shell requirement names a program and ordered patterns of arguments",
    state: "works",
    test: "packages/guard/src/capability/check-capability.test.ts",
  },
  {
    id: "001-20",
    statement: "Patterns expand {workspace}, {ad-hoc} and {user-data}; an empty one fails closed",
    state: "works",
    test: "packages/guard/src/capability/check-capability.test.ts",
  },
  {
    id: "001-21",
    statement: "An undefined variable throws when a manifest is compiled, that of a tool and that of an agent",
    state: "works",
    test: here,
  },
  { id: "001-22", statement: "A capability that does not exist is refused by name", state: "works", test: here },
  { id: "001-23", statement: "Every tool returns the same envelope with its duration", state: "works", test: here },
  {
    id: "001-24",
    statement: "Past its limit an output keeps its head, says truncated, and names a file that read opens",
    state: "works",
    test: here,
  },
  { id: "001-25", statement: "A list that was cut never looks complete", state: "works", test: here },
  {
    id: "001-26",
    statement: "The limits are 200 KB, 1000 entries, 200 matches, 200 KB and 200 KB",
    state: "works",
    test: here,
  },
  { id: "001-27", statement: "A sidecar is gone when the session closes", state: "works", test: here },
  {
    id: "001-28",
    statement: "A rule is permission, pattern and action; what no rule settles is asked",
    state: "works",
    test: here,
  },
  {
    id: "001-29",
    statement: "Rules of manifest, session and project; a deny of the manifest is final",
    state: "works",
    test: "packages/haft/test/library.test.ts",
  },
  {
    id: "001-30",
    statement:
      "The watchdog runs before execute, after the capability check, and sees tool, arguments, the agent's manifest and the session",
    state: "works",
    test: here,
  },
  {
    id: "001-31",
    statement: "The watchdog can refuse and never permit",
    state: "works",
    test: "packages/haft/test/library.test.ts",
  },
  {
    id: "001-32",
    statement: "Capability check, watchdog and sandbox are independent layers",
    state: "works",
    test: "packages/haft/test/shell-authority.test.ts",
  },
  { id: "001-33", statement: "Every call of a tool has a kind for clients", state: "works", test: here },
  { id: "001-34", statement: "An adapter for ACP emits kinds and asks for permission", state: "waits", waits: "doors" },
  { id: "001-35", statement: "An abort ends a call in flight", state: "works", test: here },
  { id: "001-36", statement: "The capability surface of each environment", state: "waits", waits: "workbench" },
]
