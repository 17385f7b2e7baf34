import { mkdirSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { ToolError } from "@haft/contract"
import type { Run } from "./command.js"
import { type CompletionTable, completionTable } from "./completion/completion-table.js"
import { exitCodes } from "./exit-code.js"
import type { Invocation } from "./invocation.js"
import type { Io } from "./io.js"
import { note, printText } from "./print.js"

/** `haft completion`: a script for a shell with every command, option and tool in it, printed or put where the shell looks. */
export const run: Run = async (invocation, io) => {
  const [word, named] = invocation.operands as readonly [string, string?]
  if (word === "sessions") return printSessions(invocation, io)
  if (word === "skills") return printSkills(invocation, io)
  if (word === "install") return install(invocation, io, named ?? basename(io.env.SHELL ?? ""))
  if (named !== undefined) throw new ToolError("invalid_args", `Cannot use "${named}": haft completion takes one SHELL`)
  printText(io, await scriptFor(word))
  return exitCodes.ok
}

async function scriptFor(shell: string): Promise<string> {
  const write = shells[shell]
  if (write) return (await write())(completionTable())
  const known = Object.keys(shells).join(", ")
  throw new ToolError("invalid_args", `Cannot complete in "${shell}": known are ${known}`, {
    hint: "Name one of them: haft completion install bash",
  })
}

const shells: Readonly<Record<string, () => Promise<(table: CompletionTable) => string>>> = {
  bash: async () => (await import("./completion/bash.js")).bash,
  zsh: async () => (await import("./completion/zsh.js")).zsh,
  fish: async () => (await import("./completion/fish.js")).fish,
  pwsh: async () => (await import("./completion/pwsh.js")).pwsh,
}

/** Writes the script where the shell finds it by itself, and says what is left to do where it does not. */
async function install(invocation: Invocation, io: Io, shell: string): Promise<number> {
  const script = await scriptFor(shell)
  const home = io.env.HOME ?? ""
  const data = io.env.XDG_DATA_HOME || join(home, ".local/share")
  const config = io.env.XDG_CONFIG_HOME || join(home, ".config")
  const places: Readonly<Record<string, { readonly file: string; readonly words: string }>> = {
    bash: {
      file: join(data, "bash-completion/completions/haft"),
      words: "It holds in new shells with bash-completion",
    },
    zsh: {
      file: join(data, "zsh/site-functions/_haft"),
      words: `Put this line before compinit in .zshrc: fpath=(${join(data, "zsh/site-functions")} $fpath)`,
    },
    fish: { file: join(config, "fish/completions/haft.fish"), words: "It holds in new shells" },
    pwsh: {
      file: join(config, "powershell/haft.ps1"),
      words: `Put this line in $PROFILE: . ${join(config, "powershell/haft.ps1")}`,
    },
  }
  const { file, words } = places[shell]!
  if (home === "") throw new ToolError("not_configured", "Cannot install the script: HOME is not set")
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, script)
  printText(io, file)
  note(invocation, io, words)
  return exitCodes.ok
}

/** The newest sessions, this folder's first: what somebody means who presses the key. */
async function printSessions(invocation: Invocation, io: Io): Promise<number> {
  const { withStore } = await import("./session/with-store.js")
  const ids = await withStore(quiet(invocation), io, async (store, { roots }) => {
    const here = await store.sessions({ root: roots[0]!, limit: 20 })
    const all = await store.sessions({ limit: 50 })
    return ["last", ...new Set([...here, ...all].map(({ id }) => id))]
  })
  printText(io, ids.join("\n"))
  return exitCodes.ok
}

async function printSkills(invocation: Invocation, io: Io): Promise<number> {
  const { setUp } = await import("./setup.js")
  const { skillsHere } = await import("./skill/skills-here.js")
  const skills = await skillsHere(await setUp(quiet(invocation), io)).list()
  printText(io, skills.map(({ name }) => name).join("\n"))
  return exitCodes.ok
}

/** Whatever the configuration would have noted has no place in a list of words. */
function quiet(invocation: Invocation): Invocation {
  return { ...invocation, quiet: true }
}
