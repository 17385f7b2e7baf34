import { ToolError } from "@haft/contract"
import type { ProcessPorts } from "./process-ports.js"

/** The process ports of a session that starts nothing. */
export const noProcessPorts: ProcessPorts = {
  commands: () => ({ run: refuse, find: async () => undefined }),
  jobs: () => ({ start: refuse, output: refuse, input: refuse, stop: refuse, list: () => [] }),
  repl: () => ({ evaluate: refuse }),
  box: () => ({ run: refuse }),
  languages: () => ({ ask: refuse, afterWrite: async () => undefined }),
  maskCoverage: async () => ({ complete: true, notes: [] }),
  rulesChanged: async () => [],
  watched: (files) => files,
  close: async () => undefined,
}

async function refuse(): Promise<never> {
  throw new ToolError("not_configured", "Cannot start a process: this session was opened without any", {
    fix: "Open the session with process options",
  })
}
