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
import { fitStreams, orderSchema } from "../../../shell/shared/output/command-data.js"
import { concealedNotes, outputLimit, printedText, wordedOutput } from "../../../shell/shared/output/command-text.js"
import { type DescribedTool, wordsOf } from "./described-tool.js"
import { fillWords, plainText, type Values } from "./fill-template.js"

const timeoutMs = 60_000

type CommandBackend = Extract<SkillBackend, { readonly type: "script" | "binary" }>

/** A tool whose work is one program in the sandbox: JSON on its standard input, and variables. */
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

// Linux takes 128 KiB for one variable; everything is on standard input as well.
const maxBytes = 100_000

/** The arguments of a call as environment variables: `TOOL_ARGS` as JSON, and `TOOL_ARG_NAME` each. */
function toolEnvironment(values: Values): Readonly<Record<string, string>> {
  const whole = JSON.stringify(values)
  if (new TextEncoder().encode(whole).length > maxBytes) {
    throw new ToolError(
      "too_large",
      `Cannot run the tool: its arguments have more than ${maxBytes} bytes; shorten them`,
    )
  }
  const environment: Record<string, string> = { TOOL_ARGS: whole }
  for (const [name, value] of Object.entries(values)) {
    const text = plainText(value)
    if (text.includes("\0")) {
      throw new ToolError("invalid_args", `Cannot run the tool: "${name}" holds a NUL character; leave that out`)
    }
    environment[`TOOL_ARG_${name.toUpperCase().replace(/[^A-Z0-9_]/g, "_")}`] = text
  }
  return environment
}

/** How an interpreter takes a program as an argument, so that standard input is free for the arguments of the call. */
const inlineOption: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  sh: "-c",
  bash: "-c",
  dash: "-c",
  zsh: "-c",
  python: "-c",
  python3: "-c",
  node: "-e",
  deno: "eval",
  perl: "-e",
  ruby: "-e",
  php: "-r",
  lua: "-e",
})

/** Program and arguments that run a script; throws when the interpreter is not known. */
function scriptArgv(interpreter: string, options: readonly string[], script: string): readonly string[] {
  const name = interpreter.replace(/^.*[/\\]/, "").replace(/\.exe$/i, "")
  const inline = inlineOption[name]
  if (inline === undefined) {
    throw new Error(`the interpreter "${interpreter}" is unknown; use one of ${Object.keys(inlineOption).join(", ")}`)
  }
  // A program in the workspace under this name is not meant, so only the name is kept and looked up on the machine.
  return [name, ...options, inline, script]
}
