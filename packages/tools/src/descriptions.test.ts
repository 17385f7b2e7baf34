import { expect, test } from "vitest"
import { catalog } from "./catalog.js"

// What a model must learn from a description: what the tool does, what it does not do or leaves to another, and when to
// use it. The words are those of the description: a change there is reviewed here.
const rows: readonly (readonly [id: string, does: string, doesNot: string, when: string])[] = [
  [
    "read",
    "Reads a file as numbered lines, a page at a time",
    "Does not list directories",
    "Use before changing a file",
  ],
  [
    "write",
    "Creates a file, parent folders included, or replaces a whole file",
    "writes UTF-8 and line endings as given",
    "To revise part of a file use edit",
  ],
  ["edit", "Replaces text in an existing file", "does not create files: use write", "Use to revise"],
  [
    "glob",
    "Lists files whose path matches a glob, sorted",
    "Does not look inside files: use grep",
    "Use to find files by name",
  ],
  [
    "grep",
    "Finds lines that match a regular expression (Rust syntax and look-around, one line at a time)",
    "for file names use glob",
    "Use to find where something is written",
  ],
  [
    "bash",
    "Runs a bash command line in the working directory, in a sandbox",
    "Each call starts fresh: cd and variables do not last",
    "Use for builds, tests, git",
  ],
  [
    "todo",
    "Replaces the session's todo list",
    "Does none of the work itself",
    "Use for work of three or more steps, and when a step starts or ends",
  ],
  [
    "task",
    "Gives a piece of work to another agent",
    "which sees nothing but the prompt",
    "Use for searches in many places and for work of its own",
  ],
  [
    "question",
    "Asks the person and waits for the answers",
    "an answer may be free text besides the options",
    "Use only when the work depends on it",
  ],
  [
    "web_search",
    "Searches the web and gives titles, addresses and snippets, not pages",
    "The number of searches per session is limited",
    "Use for facts outside the workspace",
  ],
  [
    "web_fetch",
    "Reads a web page (its article",
    "Scripts do not run",
    "Use for known addresses and results of web_search",
  ],
  [
    "skill",
    "Loads the instructions of a skill by name",
    "runs nothing",
    "Use when a listed skill fits the task, before starting on it",
  ],
  [
    "tool_search",
    "Finds tools of skills, servers and extensions that are not listed yet",
    "those found can be called from the next turn on",
    "Use when no listed tool fits",
  ],
  [
    "ls",
    "Lists one directory with types and sizes, not its subdirectories",
    "to find files by name use glob",
    "Use to see what a folder holds",
  ],
  [
    "patch",
    "Applies a unified diff to one existing file, strictly: line numbers, counts and context must fit, all hunks or none",
    "Does not create, rename or delete files",
    "Use for several changes in one file",
  ],
  [
    "apply_patch",
    "Adds, updates, moves and deletes files, all or nothing",
    "Strict: every line must fit",
    "Use for changes to several files",
  ],
  [
    "move",
    "Moves or renames files and folders in order, all or none",
    "Makes parents, never overwrites",
    "Use instead of mv",
  ],
  [
    "find_files",
    "Finds files by part of their name, type or date",
    "does not look inside them",
    "Use when the name is only partly known",
  ],
  [
    "git",
    "Shows and changes the repository of the working directory: status, log, diff, branches, stashes, remotes, worktrees, checkout",
    "Hooks, filters and other programs that the repository names do not run",
    "Use for these instead of bash",
  ],
  [
    "lsp",
    "Asks the project's language server: definition, references, hover (type and documentation), symbols, diagnostics (problems of a file)",
    "Changes nothing",
    "Use for what a name means and where it is used",
  ],
  [
    "repo_clone",
    "Copies a git repository with its history into a new folder of the workspace: from an http or https address, or from a folder",
    "Nothing of the repository runs",
    "Use to look into other code",
  ],
  [
    "repo_overview",
    "Shows the shape of a project: a short tree with the number of files in each folder, and the languages by size",
    "for one folder use ls, for files by name use glob",
    "Use once at the start of work in an unknown project",
  ],
  ["notebook_edit", "Changes one cell of a Jupyter notebook", "runs nothing", "Use instead of edit"],
  [
    "plan_exit",
    "Shows the person a finished plan",
    "when it is approved, plan mode ends and the work may begin",
    "Use in plan mode when nothing is left to find out",
  ],
  [
    "job_start",
    "Starts a bash command line that goes on after this call, in a sandbox, and returns its id",
    "for everything else use bash",
    "Use for servers, watchers and work of many minutes",
  ],
  [
    "job_output",
    "Returns what a job has printed since the last look, and whether it still runs",
    "since the last look",
    "Use with wait_ms to wait for new output or the end instead of asking again and again",
  ],
  [
    "job_input",
    "Writes text to the standard input of a job as it is: end it with a line break where the program reads lines",
    "see the answer with job_output",
    "Use to answer a program or to drive a prompt",
  ],
  [
    "job_stop",
    "Ends a job with every process that it started, and returns what it printed since the last look",
    "a job that has ended already stays as it is",
    "Use when it is no longer needed",
  ],
  [
    "box",
    "Runs one command in a fresh virtual machine",
    "it sees only the files given here, reaches only hosts that the user granted (else no network), and nothing of it stays",
    "Use for untrusted or experimental code",
  ],
  [
    "calculator",
    "Evaluates a mathematical expression to one number, text or boolean",
    "gives no matrices, units or complex numbers",
    "Use for all arithmetic that is not trivial",
  ],
  [
    "clipboard_read",
    "Returns the text on the user's clipboard",
    "other content is an error",
    "Use when the user speaks of what they copied",
  ],
  [
    "clipboard_write",
    "Puts text on the user's clipboard and replaces what is there",
    "takes no images or files",
    "Use when the user asks to copy something",
  ],
  [
    "index_search",
    "Finds applications, commands, tools, skills and workspace files by fuzzy name, most used first",
    "for contents use grep",
    "Use when only part of a name is known",
  ],
  [
    "exec",
    "Runs one program with exactly these arguments, in a sandbox",
    "no shell, so no pipes, globs or variables: use bash for those",
    "Use when arguments must not be interpreted",
  ],
  ["http_request", "Sends one HTTP request and gives the raw answer", "use web_fetch to read pages", "Use for APIs"],
  [
    "sleep",
    "Waits and does nothing else",
    "for a job use job_output with wait_ms",
    "Use to give something outside time, for instance between two looks at a server",
  ],
  [
    "send_user_message",
    "Shows the person a message and goes on",
    "waits for no answer: use question for that",
    "Use for news during long work",
  ],
  [
    "config",
    "Reads a setting, or sets one with value: language, theme, verbosity, notification",
    "Other settings can be read, never set",
    "Use when the person asks about them",
  ],
  [
    "structured_output",
    "Ends the run with its arguments as the result: any object with at least one field, of the shape that was asked for",
    "Ends the run with its arguments as the result: any object with at least one field, of the shape that was asked for",
    "Use once, last, when a structured result is wanted",
  ],
  [
    "repl",
    "Evaluates code in an interpreter of this session, in a sandbox",
    "to run programs use bash",
    "Use for calculations and to explore data step by step",
  ],
  [
    "powershell",
    "Runs one PowerShell command in the working directory, in a sandbox, without profile and questions",
    "otherwise use bash",
    "Use for what is written in PowerShell",
  ],
]

test.each(rows)("[C2-2] [C2-188] %s says what it does, what it does not, and when to use it", (id, ...words) => {
  const { description } = catalog.find(({ manifest }) => manifest.id === id)!.manifest
  for (const each of words) expect(description).toContain(each)
  const [does, , when] = words
  expect(description.startsWith(does)).toBe(true)
  expect(when).toMatch(/\b[Uu]se\b/)
  expect(description.length).toBeLessThan(420)
})

test("[C2-188] every tool has its row", () => {
  expect(rows.map(([id]) => id)).toEqual(catalog.map(({ manifest }) => manifest.id))
})
