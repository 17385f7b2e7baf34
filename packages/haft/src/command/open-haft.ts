import type { Person, PlacedRule, SessionEvent } from "@haft/contract"
import { checkFileRules, configuredOptions, configuredProgram, type Editor } from "../config/configured-options.js"
import type { ProgramHaft } from "../library/create-haft.js"
import type { ProgramOptions } from "../library/options.js"
import { styleFor } from "../terminal/style.js"
import { commands } from "./commands.js"
import type { Invocation } from "./invocation.js"
import type { Io } from "./io.js"
import { packagePath } from "./package-folder.js"
import { note } from "./print.js"
import { checkWideRoot, flagRules, type Setup, setUp } from "./setup.js"
import type { SpokenTool } from "./spoken-tool.js"
import { toolDescriptions } from "./tool-descriptions.js"

/** A Haft as this command line and its configuration want it. */
export interface OpenedHaft {
  readonly haft: ProgramHaft
  readonly setup: Setup
  readonly headless: boolean
}

/** What differs between the commands that open a Haft. */
export interface OpenHaftOptions {
  readonly journal?: boolean
  readonly onEvent?: (event: SessionEvent) => void
  /** The one tool that will be called; without it all of the toolset are loaded. */
  readonly tool?: SpokenTool
  /** Only these built-in tools, by id. */
  readonly only?: readonly string[]
  /** Who answers, where that is not the person at the terminal. */
  readonly person?: Person | "headless"
  /** The set-up, where it is known already. */
  readonly setup?: Setup
  /** Whether a wide current directory is an error; commands that touch no file do not care. */
  readonly touchesFiles: boolean
  /** Whether a model chooses among the tools: then the toolset of the configuration holds, not every tool. */
  readonly forAgent?: boolean
  /** Instead of the rules of files and flags. */
  readonly rules?: readonly PlacedRule[]
  readonly editor?: Editor
}

/** Opens a Haft. A rule in a file that cannot be understood stops the start. */
export async function openHaft(invocation: Invocation, io: Io, options: OpenHaftOptions): Promise<OpenedHaft> {
  const setup = options.setup ?? (await setUp(invocation, io))
  if (options.touchesFiles) await checkWideRoot(setup)
  await checkFileRules(setup)
  const library = await import("../library/create-haft.js")
  const person = options.person ?? (await personFor(invocation, io))
  const configured = configuredOptions(setup, io.env)
  const secrets = invocation.list("env-secret")
  const haft = await library.openHaft(
    {
      ...configured,
      toolset: invocation.text("toolset") ?? (options.forAgent ? configured.toolset : "all"),
      rules: options.rules ?? (await rulesOf(setup, invocation, io)),
      person,
      sandbox: {
        ...configured.sandbox,
        // A secret that is named for this run need not be listed twice.
        env: [...(configured.sandbox?.env ?? []), ...invocation.list("env"), ...secrets],
        envSecrets: secrets,
      },
      network: {
        ...configured.network,
        grants: [...(configured.network?.grants ?? []), ...invocation.list("grant-net")],
      },
      storage: { ...configured.storage, journal: options.journal },
      git: { ...configured.git, onProgress: (text) => note(invocation, io, text) },
      hooks: { ...configured.hooks, onEvent: options.onEvent },
    },
    {
      ...configuredProgram(setup, options.editor),
      ...(options.only ? { only: options.only } : await onlyTool(invocation, options.tool)),
      bundledSkills: packagePath("skills"),
      commands: commands.map(({ name, about }) => ({ id: name, name: `haft ${name}: ${about}` })),
    },
  )
  return { haft, setup, headless: person === "headless" }
}

/** The rules of files, of another system's mode and of flags. */
export async function rulesOf(
  { configuration }: Setup,
  invocation: Invocation,
  io: Io,
): Promise<readonly PlacedRule[]> {
  return [...configuration.rules, ...(await policyRules(invocation, io)), ...(await flagRules(invocation))]
}

/** The rules of another system's mode, with the authority of a flag; says where they are stricter than that system. */
async function policyRules(invocation: Invocation, io: Io): Promise<readonly PlacedRule[]> {
  const named = invocation.text("policy")
  if (named === undefined) return []
  const { policyNamed } = await import("@haft/dialects")
  const { rules, notes } = await policyNamed(named)
  for (const text of notes) note(invocation, io, `note: ${named}: ${text}`)
  return rules.map((rule) => ({ ...rule, source: { scope: "flag" } }))
}

/** Most tools are opened alone: making the schemas of all takes longer than a call. */
async function onlyTool(
  invocation: Invocation,
  tool: SpokenTool | undefined,
): Promise<Pick<ProgramOptions, "only" | "known">> {
  if (tool?.source !== "builtin" || invocation.text("toolset") !== undefined) return {}
  const { loadTool } = await import("@haft/tools")
  if ((await loadTool(tool.name))?.manifest.looksAtTools) return {}
  // Each is one command away.
  return { only: [tool.name], known: toolDescriptions().map(({ id }) => id) }
}

/** The person at the terminal where there is one; otherwise nobody. Only keys answer, never what comes through a pipe. */
async function personFor(invocation: Invocation, io: Io): Promise<"headless" | Person> {
  if (invocation.flag("headless") || !io.stderr.isTTY) return "headless"
  const keyboard = io.stdin.isTTY ? () => io.stdin : io.openKeyboard?.()
  if (!keyboard) return "headless"
  const { terminalPerson } = await import("../terminal/terminal-person.js")
  const style = styleFor(io.stderr, io.env, invocation)
  const { stderr, env, interrupt } = io
  const terminal = {
    // Opened when the first question comes.
    get stdin() {
      return keyboard()
    },
    ...{ stderr, env, interrupt, say: style.say },
  }
  return terminalPerson(terminal, style)
}
