/** An argument as a document has it. */
export interface DocumentedArgument {
  readonly type: string
  readonly says?: string
  readonly required?: true
  readonly choices?: readonly string[]
}

/** A tool as a document defines it, and what it means where an argument is left out. */
export interface DocumentedTool {
  readonly name: string
  /** The name that is sent to providers, where it is another one. */
  readonly wire?: string
  readonly title?: string
  /** The description contains each of these. */
  readonly says: readonly string[]
  readonly arguments: Readonly<Record<string, DocumentedArgument>>
  /** A call with only what is required, and the arguments that hold then. */
  readonly least?: Readonly<Record<string, unknown>>
  readonly defaults?: Readonly<Record<string, unknown>>
}

const text = (says?: string, required?: true): DocumentedArgument => argument("string", says, required)
const whole = (says?: string): DocumentedArgument => argument("integer", says)
const truth = (says?: string): DocumentedArgument => argument("boolean", says)
const one = (choices: readonly string[], says?: string, required?: true): DocumentedArgument => ({
  ...argument("string", says, required),
  choices,
})
function argument(type: string, says?: string, required?: true): DocumentedArgument {
  return { type, ...(says !== undefined && { says }), ...(required && { required }) }
}

/** The page of A3S Code, in its order. */
export const a3sTools: readonly DocumentedTool[] = [
  {
    name: "read",
    says: ["Read the contents of a file", "line-numbered", "text files and images"],
    arguments: {
      file_path: text("Path to the file to read (absolute or relative to workspace)", true),
      offset: whole("Line number to start reading from (0-indexed, default 0)"),
      limit: whole("Maximum number of lines to read (default 2000)"),
    },
    least: { file_path: "a.txt" },
    defaults: { offset: 0, limit: 2000 },
  },
  {
    name: "write",
    says: ["Write content to a file", "Creates the file and parent directories"],
    arguments: {
      file_path: text("Path to the file to write", true),
      content: text("Content to write to the file", true),
    },
  },
  {
    name: "edit",
    says: ["replacing a specific string", "must be unique in the file unless replace_all is true"],
    arguments: {
      file_path: text("Path to the file to edit", true),
      old_string: text("The exact string to replace (must be unique unless replace_all=true)", true),
      new_string: text("The string to replace it with", true),
      replace_all: truth("Replace all occurrences (default false)"),
    },
    least: { file_path: "a.txt", old_string: "a", new_string: "b" },
    defaults: { replace_all: false },
  },
  {
    name: "patch",
    says: ["Apply a unified diff patch to a file", "@@ hunk headers"],
    arguments: {
      file_path: text("Path to the file to patch", true),
      diff: text("Unified diff content with @@ hunk headers", true),
    },
  },
  {
    name: "bash",
    says: ["Execute a shell command in the workspace directory", "On Windows this runs in PowerShell"],
    arguments: {
      command: text("A limited compatibility shim exists for curl, wget, bare HTTP verbs", true),
      timeout: whole("Timeout in milliseconds (default 120000)"),
    },
    least: { command: "ls" },
    defaults: { timeout: 120_000 },
  },
  {
    name: "grep",
    says: ["Search for a pattern in files using ripgrep", "file paths and line numbers"],
    arguments: {
      pattern: text("Regular expression pattern to search for", true),
      path: text("Directory or file to search in (default workspace root)"),
      glob: text("Glob pattern to filter files (e.g., '*.rs', '*.{ts,tsx}')"),
      context: whole("Number of context lines to show before and after matches (at most 20)"),
      "-i": truth("Case insensitive search"),
    },
    least: { pattern: "a" },
    defaults: { context: 0, "-i": false },
  },
  {
    name: "glob",
    says: ["Find files matching a glob pattern", "list of file paths"],
    arguments: {
      pattern: text("Glob pattern to match (e.g., '**/*.rs', 'src/**/*.ts')", true),
      path: text("Base directory for the search (default workspace root)"),
    },
  },
  {
    name: "ls",
    says: ["List contents of a directory with file types and sizes"],
    arguments: { path: text("Directory path to list (default workspace root)") },
    least: {},
    defaults: { path: "." },
  },
  {
    name: "web_fetch",
    says: ["Fetch content from a URL", "HTML to Markdown", "5MB response size limit", "max 120 seconds"],
    arguments: {
      url: text("must start with http:// or https://", true),
      format: one(["markdown", "text", "html"], "Output format (default: markdown)"),
      timeout: whole("Timeout in seconds (default: 30, max: 120)"),
    },
    least: { url: "http://example.org/" },
    defaults: { format: "markdown", timeout: 30 },
  },
  {
    name: "box",
    says: ["VM-level isolation", "untrusted code", "its own filesystem, network, and process namespace"],
    arguments: {
      command: text("The command to execute inside the sandbox", true),
      image: text("Sandbox image to use (default: ubuntu-22.04)"),
      timeout: whole("Timeout in milliseconds (default 60000)"),
      files: argument("object", "Files to inject into the sandbox before execution (key=path, value=content)"),
    },
    least: { command: "ls" },
    defaults: { timeout: 60_000, files: {} },
  },
  {
    name: "git",
    says: [
      "Supports: status, log, branch, checkout, diff, stash, remote, and worktree management",
      "Automatically downloads and installs git if not available",
    ],
    arguments: {
      command: one(
        ["status", "log", "branch", "checkout", "diff", "stash", "remote", "worktree"],
        "Required. Git command to execute.",
        true,
      ),
      // Ours: the page's own examples write the key `command` twice.
      subcommand: one(["list", "create", "remove"]),
      name: text("Branch name for branch/checkout/worktree operations."),
      path: text("Path for worktree operations"),
      ref: text("Reference for checkout command."),
      target: text("Target ref for diff (e.g., HEAD~1)."),
      max_count: whole("Maximum log entries to show (default 10)."),
      message: text("Message for stash."),
      include_untracked: truth("Include untracked files in stash."),
      force: truth("Force checkout/create operation."),
      new_branch: truth("Create new branch for worktree (default true)."),
      base: text("Base ref for new branch (default HEAD)."),
    },
    least: { command: "log" },
    defaults: { max_count: 10, include_untracked: false, force: false, new_branch: true },
  },
  {
    name: "web_search",
    says: [
      "multiple search engines",
      "DuckDuckGo, Wikipedia, Google, Brave, Baidu",
      "proxy",
      "deduplicated and ranked",
    ],
    arguments: {
      query: text("The search query", true),
      // A list, or one text with commas, which models send as often.
      engines: argument("array|string", 'List of engines to use (default: ["ddg","wiki"])'),
      limit: whole("Maximum number of results to return (default: 10, max: 50)"),
      timeout: whole("Search timeout in seconds (default: 10, max: 60)"),
      proxy: text("Proxy URL (e.g., http://127.0.0.1:8080 or socks5://127.0.0.1:1080)"),
      format: one(["text", "json"], "Output format (default: text)"),
    },
    least: { query: "a" },
    defaults: { engines: ["ddg", "wiki"], limit: 10, timeout: 10, format: "text" },
  },
]

const asyarTool = (bare: string, tool: Omit<DocumentedTool, "name" | "wire">): DocumentedTool => ({
  ...tool,
  name: `builtin:${bare}`,
  wire: `builtin__${bare}`,
})

/** The reference of the Asyar launcher, in its order. */
export const asyarTools: readonly DocumentedTool[] = [
  asyarTool("calculator", {
    title: "Calculator",
    says: ["Evaluates a mathematical expression using evalexpr"],
    arguments: { expression: text("Math expression to evaluate, e.g. '2 + 2 * 3'", true) },
  }),
  asyarTool("clipboard-read", {
    title: "Clipboard Read",
    says: ["Reads the current text content of the OS clipboard"],
    arguments: {},
  }),
  asyarTool("clipboard-write", {
    title: "Clipboard Write",
    says: ["Writes text to the OS clipboard"],
    arguments: { text: text("The text to write to the clipboard.", true) },
  }),
  asyarTool("fs-read", {
    title: "Read File",
    says: ["Reads a UTF-8 text file", "at the given path"],
    arguments: { path: text("Absolute path to the file.", true) },
  }),
  asyarTool("fs-write", {
    title: "Write File",
    says: ["Writes UTF-8 text to a file at the given path", "Overwrites any existing file"],
    arguments: { path: text("Absolute path to the file.", true), content: text("Text content to write.", true) },
  }),
  asyarTool("shell-exec", {
    title: "Run Shell Command",
    says: ["Spawns an OS process", "returns its stdio output and exit code"],
    arguments: {
      command: text("Executable to run.", true),
      args: argument("array", "Arguments."),
      cwd: text("Working directory (optional)."),
    },
    least: { command: "ls" },
    defaults: { args: [] },
  }),
  asyarTool("web-fetch", {
    title: "Fetch URL",
    says: ["Performs an HTTP request", "returns the response envelope"],
    arguments: {
      url: text("Absolute http(s) URL.", true),
      method: text("HTTP method (default GET)."),
      headers: argument("object", "String-string headers."),
      body: text("Request body."),
      timeoutMs: argument("number", "Timeout in milliseconds."),
    },
    least: { url: "http://example.org/" },
    defaults: { method: "GET", timeout_ms: 20_000 },
  }),
  asyarTool("search", {
    title: "Search Launcher Index",
    says: ["Queries the launcher's", "index"],
    // The reference says number, and refuses one that is not whole.
    arguments: { query: text("Search query.", true), limit: whole("Max results to return (default 10).") },
    least: { query: "a" },
    defaults: { limit: 10 },
  }),
]

/** The table of claw-code's page, in its order; the page has no schemas, the arguments are those of its definitions. */
export const clawTools: readonly DocumentedTool[] = [
  {
    name: "bash",
    says: ["Execute a shell command"],
    arguments: {
      command: text(undefined, true),
      timeout: whole(),
      description: text(),
      run_in_background: truth(),
      dangerouslyDisableSandbox: truth(),
      namespaceRestrictions: truth(),
      isolateNetwork: truth(),
      filesystemMode: text(),
      allowedMounts: argument("array"),
    },
  },
  {
    name: "read_file",
    says: ["Read a text file"],
    arguments: { path: text(undefined, true), offset: whole(), limit: whole() },
  },
  {
    name: "write_file",
    says: ["Write a text file"],
    arguments: { path: text(undefined, true), content: text(undefined, true) },
  },
  {
    name: "edit_file",
    says: ["Replace text in a", "file"],
    arguments: {
      path: text(undefined, true),
      old_string: text(undefined, true),
      new_string: text(undefined, true),
      replace_all: truth(),
    },
    least: { path: "a.txt", old_string: "a", new_string: "b" },
    defaults: { replace_all: false },
  },
  {
    name: "glob_search",
    says: ["Find files by glob pattern"],
    arguments: { pattern: text(undefined, true), path: text() },
  },
  {
    name: "grep_search",
    says: ["Search file contents with a regex"],
    arguments: {
      pattern: text(undefined, true),
      path: text(),
      glob: text(),
      output_mode: text(),
      "-B": whole(),
      "-A": whole(),
      "-C": whole(),
      context: whole(),
      "-n": truth(),
      "-i": truth(),
      type: text(),
      head_limit: whole(),
      offset: whole(),
      multiline: truth(),
    },
    least: { pattern: "a" },
    defaults: { output_mode: "files_with_matches", "-n": true, "-i": false, head_limit: 250, offset: 0 },
  },
  {
    name: "WebFetch",
    says: ["Fetch a URL"],
    arguments: { url: text(undefined, true), prompt: text(undefined, true) },
  },
  {
    name: "WebSearch",
    says: ["Search the web for", "information"],
    arguments: {
      query: text(undefined, true),
      allowed_domains: argument("array"),
      blocked_domains: argument("array"),
    },
  },
  {
    name: "TodoWrite",
    says: ["Update the structured task list"],
    arguments: { todos: argument("array", undefined, true) },
  },
  {
    name: "Skill",
    says: ["Load a local skill definition"],
    arguments: { skill: text(undefined, true), args: text() },
  },
  {
    name: "Agent",
    says: ["agent"],
    arguments: {
      description: text(undefined, true),
      prompt: text(undefined, true),
      subagent_type: text(),
      name: text(),
      model: text(),
    },
  },
  {
    name: "ToolSearch",
    says: ["Search for deferred or specialized tools"],
    arguments: { query: text(undefined, true), max_results: whole() },
  },
  {
    name: "NotebookEdit",
    says: ["cell", "Jupyter notebook"],
    arguments: {
      notebook_path: text(undefined, true),
      cell_id: text(),
      new_source: text(),
      cell_type: text(),
      edit_mode: text(),
    },
  },
  {
    name: "Sleep",
    says: ["Wait for a specified duration"],
    arguments: { duration_ms: argument("integer", undefined, true) },
  },
  {
    name: "SendUserMessage",
    says: ["Send a message to the user"],
    arguments: { message: text(undefined, true), attachments: argument("array"), status: text(undefined, true) },
  },
  {
    name: "Config",
    says: ["Get or set runtime"],
    arguments: { setting: text(undefined, true), value: argument("string|boolean|number") },
  },
  { name: "StructuredOutput", says: ["Return structured output"], arguments: {} },
  {
    name: "REPL",
    says: ["Execute code in a REPL"],
    arguments: { code: text(undefined, true), language: text(undefined, true), timeout_ms: whole() },
  },
  {
    name: "PowerShell",
    says: ["Execute a PowerShell command"],
    arguments: { command: text(undefined, true), timeout: whole(), description: text(), run_in_background: truth() },
  },
]
