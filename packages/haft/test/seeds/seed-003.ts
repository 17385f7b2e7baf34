import type { SeedStatement } from "./seed-statement.js"

const here = "packages/haft/test/seeds/seed-003.test.ts"
const works = (number: number, statement: string, test = here): SeedStatement => ({
  ...{ id: `003-${number}`, statement, test },
  state: "works",
})
/** Shown by a test of the agent, which has this in its title. */
const inAgent = (number: number, statement: string, title: string): SeedStatement => ({
  ...{ id: `003-${number}`, statement, title },
  state: "works",
  test: "packages/haft/test/agent.test.ts",
})
/** The statements of the page about claw-code's tools, in its order. */
export const seed003: readonly SeedStatement[] = [
  works(1, "every tool has a name, a description, a JSON schema and a required permission; there are 19"),
  works(2, "bash executes a shell command"),
  works(3, "bash answers dangerouslyDisableSandbox with what really held"),
  works(4, "read_file reads a text file"),
  works(5, "write_file writes a text file"),
  works(6, "edit_file replaces text in a file"),
  works(7, "glob_search finds files by glob pattern"),
  works(8, "grep_search searches file contents with a regular expression"),
  works(9, "WebFetch fetches a URL and promises no more than it gives"),
  works(10, "WebSearch searches the web"),
  works(11, "TodoWrite updates the structured task list"),
  works(12, "Skill loads a local skill definition"),
  inAgent(
    13,
    "Agent spawns a conversation of its own",
    "the model starts another agent with %s and reads its last words",
  ),
  works(14, "ToolSearch finds deferred tools"),
  works(15, "NotebookEdit edits the cells of a notebook"),
  works(16, "Sleep waits for a duration"),
  works(17, "SendUserMessage sends a message, which the person at the terminal sees"),
  works(18, "Config gets and sets settings, or refuses clearly"),
  works(19, "StructuredOutput returns structured output"),
  works(20, "REPL executes code"),
  works(21, "PowerShell executes commands, or says that it is not installed"),
  works(22, "three permission tiers hold, chosen on the command line"),
  works(23, "an executor takes a name and a text and gives a text or an error"),
  works(24, "an unknown name and wrong arguments are answered in claw's own shape and words"),
  inAgent(25, "Agent runs an inner loop with a session of its own", "a subagent works in its own session"),
  inAgent(
    26,
    "Agent returns the final text of the inner conversation",
    "the model starts another agent with %s and reads its last words",
  ),
  {
    ...{ id: "003-27", statement: "Agent is recursive", state: "works" },
    test: "packages/haft/test/agent-conformance.test.ts",
    title: "agents start agents five levels deep, and no deeper",
  },
  works(28, "a host registers tools of its own by name and function"),
  works(29, "definitions have name, description and input_schema, in every format"),
]
