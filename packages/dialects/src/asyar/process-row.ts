import { defineDialectTool } from "@haft/contract"
import * as z from "zod"
import { modelStreams } from "../shared/model-streams.js"
import { dataOf } from "../shared/parts-of-result.js"

interface ProcessEnd {
  readonly exit_code: number | null
  readonly timed_out: boolean
}

/** `builtin:shell-exec`: fails only when nothing can be started. */
export const shellExecRow = defineDialectTool({
  name: "builtin:shell-exec",
  tool: "exec",
  titles: { en: "Run Shell Command", "zh-CN": "运行命令" },
  description:
    "Spawns an OS process and returns its stdio output and exit code; exitCode is null when a signal ended it. It is ended after 120 seconds. Of output beyond 32,000 characters head and tail are given, with the path of a file that holds more.",
  input: z.object({
    command: z.string().describe("Executable to run."),
    args: z.array(z.string()).optional().describe("Arguments."),
    cwd: z.string().optional().describe("Working directory (optional)."),
  }),
  toArguments: ({ command, args = [], cwd }) => ({ command, args, ...(cwd !== undefined && { cwd }) }),
  toValue: (result) => {
    const { exit_code, timed_out } = dataOf<ProcessEnd>(result)
    const { stdout, stderr } = modelStreams(result)
    return { stdout, stderr: timed_out ? withNote(stderr) : stderr, exitCode: exit_code ?? null }
  },
})

/** There is no field for it, and null alone would look like any other signal. */
function withNote(stderr: string): string {
  return `${stderr}${stderr === "" || stderr.endsWith("\n") ? "" : "\n"}[The process was ended because it took too long]\n`
}
