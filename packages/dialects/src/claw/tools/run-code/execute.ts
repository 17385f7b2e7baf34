import { type Commands, type Execute, type InputOf, ToolError } from "@haft/contract"
import { checkArgument, runToEnd, shellArgv } from "@haft/tools/shell/shared/run-command.js"
import type { manifest } from "./index.js"

/** Starts an interpreter with the code as it was judged; only failing to start and running out of time are errors. */
export const execute: Execute<typeof manifest> = async ({ code, language, timeout_ms }, context) => {
  checkArgument(code, "command")
  const argv = await argvFor(language, code, context.commands)
  const end = await runToEnd({ argv, timeoutMs: timeout_ms }, context)
  if (end.timed_out) throw outOfTime(language, timeout_ms, end)
  return end
}

async function argvFor(
  language: InputOf<typeof manifest>["language"],
  code: string,
  commands: Commands,
): Promise<readonly string[]> {
  if (language === "shell") return shellArgv(code, commands)
  const { names, option } = interpreters[language]
  for (const name of names) {
    const program = await commands.find(name)
    if (program !== undefined) return [program, option, code]
  }
  throw new ToolError("not_configured", `Cannot run ${language} code: no ${names.join(" or ")} is on this machine`, {
    fix: `Install ${names[0]} and see that it is on the PATH`,
  })
}

const interpreters = {
  python: { names: ["python3", "python"], option: "-c" },
  javascript: { names: ["node"], option: "-e" },
} as const

function outOfTime(
  language: string,
  timeoutMs: number,
  { stdout, stderr }: { readonly stdout: string; readonly stderr: string },
): ToolError {
  return new ToolError("timeout", `Cannot finish the ${language} code: it exceeded the timeout of ${timeoutMs} ms`, {
    hint: [{ say: "Raise {key:timeout_ms}" }, "Do less at a time"],
    details: { stdout: stdout.slice(0, shownCharacters), stderr: stderr.slice(0, shownCharacters) },
  })
}

// What was printed until then, for programs: enough to see how far it came.
const shownCharacters = 4_000
