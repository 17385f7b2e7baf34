import {
  type Commands,
  defineManifest,
  defineTool,
  type SkillBackend,
  type ToolDefinition,
  ToolError,
} from "@haft/contract"
import * as z from "zod"
import { outputSchema } from "../../../output.js"
import { fitStreams } from "../../../shell/shared/output/fit-streams.js"
import { outputLimit } from "../../../shell/shared/output/output-limit.js"
import { printedText } from "../../../shell/shared/output/printed-text.js"
import { orderSchema } from "../../../shell/shared/output/process-data.js"
import { concealedNotes, wordedOutput } from "../../../shell/shared/output/process-text.js"
import { type DescribedTool, wordsOf } from "./described-tool.js"
import { fillWords, type Values } from "./fill-template.js"
import { scriptArgv } from "./script-argv.js"
import { toolEnvironment } from "./tool-environment.js"

const timeoutMs = 60_000

type CommandBackend = Extract<SkillBackend, { readonly type: "script" | "binary" }>

/** A tool whose work is one program behind the wall: JSON on its standard input, and variables. */
export function commandTool(described: DescribedTool, backend: CommandBackend): ToolDefinition {
  const argvOf = argvMaker(backend)
  const manifest = defineManifest({
    ...described,
    output: outputSchema({
      stdout: z.string(),
      stderr: z.string(),
      order: orderSchema,
      exit_code: z.int().nullable(),
      timed_out: z.boolean(),
    }),
    requires: { shell: [{ cmd: "*" }] },
    kind: "execute",
    tier: "full-access",
    limit: outputLimit,
    retry: "never",
    timeoutMs: timeoutMs + 30_000,
    effects: () => [],
    // What is judged is what runs: the script itself, where the judge can read it.
    command: (input) => ({ kind: "argv", argv: argvOf(input) }),
  })
  return defineTool({
    manifest,
    messages: wordsOf(described.title),
    present: (output) => {
      const { exit_code, timed_out } = output
      const printed = printedText(output)
      const end = timed_out ? ["ended after 60 s"] : exit_code === 0 ? [] : [`exit code ${exit_code}`]
      return wordedOutput(printed, [...end, ...concealedNotes(printed)])
    },
    execute: async () => ({
      async execute(input, { commands, emit, limit, setSidecar }) {
        const [program, ...words] = argvOf(input)
        const outcome = await commands.run({
          argv: [await found(program!, commands), ...words],
          timeoutMs,
          keepBytes: limit,
          input: JSON.stringify(input),
          environment: toolEnvironment(input),
          onOutput: (_stream, piece) => emit(piece),
        })
        if (outcome.outputPath !== undefined) setSidecar(outcome.outputPath)
        return { ...fitStreams(outcome, limit), exit_code: outcome.exitCode, timed_out: outcome.timedOut }
      },
    }),
    examples: async () => ({ examples: [] }),
  }) as unknown as ToolDefinition
}

function argvMaker(backend: CommandBackend): (input: Values) => readonly string[] {
  if (backend.type === "script") {
    const argv = scriptArgv(backend.interpreter, backend.interpreterArguments, backend.script)
    return () => argv
  }
  const { path, url, argumentsTemplate } = backend
  return (input) => {
    if (path === undefined) throw notInstalled(url ?? "")
    return [path, ...fillWords(argumentsTemplate, input)]
  }
}

async function found(program: string, commands: Commands): Promise<string> {
  if (/[/\\]/.test(program)) return program
  const path = await commands.find(program)
  if (path !== undefined) return path
  throw new ToolError("not_configured", `Cannot run the tool: "${program}" is not installed on this machine`, {
    fix: `Install ${program} and see that it is on the PATH`,
  })
}

/** Nothing is fetched and run on the word of a skill. */
function notInstalled(url: string): ToolError {
  return new ToolError("not_configured", `Cannot run the tool: its program would have to be fetched from ${url}`, {
    fix: "Fetch it, compare its SHA-256 with that of the skill, and name it there with path instead of url",
  })
}
