import {
  type CommandOutcome,
  type Commands,
  type SandboxProfile,
  ToolError,
  type ToolErrorOptions,
} from "@haft/contract"
import { safeEnvironment } from "./safe-environment.js"
import { withoutCredentials } from "./without-credentials.js"

export interface GitRun {
  /** The command in words, for messages: `git status`. */
  readonly label: string
  readonly program: string
  /** Options of git itself, before the command. */
  readonly options?: readonly string[]
  readonly arguments: readonly string[]
  /** `read-only` for what only reads; absent: the sandbox of the call. */
  readonly profile?: SandboxProfile
  readonly protocols?: readonly string[]
  readonly directory?: string
  readonly timeoutMs?: number
  /** Bytes of output that are kept; by default enough for any list. */
  readonly keepBytes?: number
}

// Patterns of a hostile .gitignore take git minutes; an honest repository answers in seconds.
const readMs = 15_000
// Lists are read whole or not at all; a stream keeps half of this at either end.
const listBytes = 16 * 1024 * 1024

/** Runs git with nothing of a repository obeyed; any exit code is an outcome. */
export async function runGit(commands: Commands, run: GitRun): Promise<CommandOutcome> {
  const { label, program, options = [], profile, protocols = [], directory } = run
  const { timeoutMs = profile === "read-only" ? readMs : 60_000 } = run
  const outcome = await commands.run({
    argv: [program, ...safeArguments, ...options, ...run.arguments],
    timeoutMs,
    keepBytes: run.keepBytes ?? listBytes,
    environment: safeEnvironment({ protocols, reads: profile === "read-only" }),
    ...(profile !== undefined && { profile }),
    ...(directory !== undefined && { directory }),
  })
  if (!outcome.timedOut) return outcome
  throw new ToolError("timeout", `Cannot finish "${label}": it did not end within ${timeoutMs} ms`, {
    hint: { say: "Ask for less at a time, for instance with {key:path|max_count}" },
  })
}

/** The output of a run that ended well and fits; anything else is an error with the words of git. */
export function outputOf(outcome: CommandOutcome, label: string): string {
  if (outcome.exitCode !== 0) throw gitFailed(outcome, label)
  if (!outcome.stdout.truncated) return outcome.stdout.text
  throw new ToolError("too_large", `Cannot finish "${label}": it gives ${outcome.stdout.totalBytes} bytes`, {
    hint: { say: "Narrow it with {key:path|max_count}" },
  })
}

/** The failure of a run in the words of git, without credentials. */
export function gitFailed(outcome: CommandOutcome, label: string): ToolError {
  const words = wordsOf(outcome.stderr.text) || wordsOf(outcome.stdout.text)
  const how =
    outcome.exitCode === null ? `was ended by ${outcome.signal ?? "a signal"}` : `ended with ${outcome.exitCode}`
  return new ToolError("backend", `Cannot finish "${label}": ${words || `it ${how}`}`, {
    ...(outcome.refused ? refusedHosts(outcome.refused) : hintFor(words)),
    details: { exit_code: outcome.exitCode },
  })
}

function refusedHosts(refused: NonNullable<CommandOutcome["refused"]>): ToolErrorOptions {
  const fixes = refused.flatMap(({ fix }) => fix ?? [])
  return {
    hint: `It was not let go to ${refused.map(({ destination, reason }) => `${destination}: ${reason}`).join("; ")}`,
    ...(fixes.length > 0 && { fix: fixes.join("; ") }),
  }
}

function wordsOf(output: string): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "")
  const failures = lines.filter((line) => /^(fatal|error): /.test(line))
  const said = (failures.length > 0 ? failures : lines).slice(0, 5).map((line) => line.replace(/^(fatal|error): /, ""))
  // The caller gave a path and not the pattern that it was made into.
  return withoutCredentials(said.join("; ")).replaceAll(":(literal)", "").slice(0, 1000)
}

function hintFor(words: string): ToolErrorOptions {
  if (/would be overwritten/.test(words)) return { hint: "Put the changes aside with stash, or use force to lose them" }
  if (/Read-only file system|could not lock config/.test(words)) {
    return {
      hint: "The sandbox of this call keeps that path as it is: leave it, or name it so that it can be approved",
    }
  }
  const own = /Failed to connect to (localhost|127\.[\d.]+|::1) port (\d+)/.exec(words)
  if (own) {
    const place = `${own[1]}:${own[2]}`
    return {
      hint: `Inside the sandbox ${place} is the sandbox itself: use another address`,
      fix: `Open this machine's own ${place} with --grant-net ${place}`,
    }
  }
  if (/repository '.*' not found/.test(words)) {
    return { hint: "See that the address is right and needs no password; none is known here" }
  }
  if (/error: 30[1278]|redirect/i.test(words)) return { hint: "The address leads elsewhere; use the one it leads to" }
  if (/is outside repository/.test(words)) return { hint: "Name a path inside the repository" }
  if (/not a valid branch name/.test(words)) return { hint: "Use letters, digits and - _ / in it" }
  if (/index\.lock|File exists/.test(words)) return { hint: "Another git may be at work; repeat the call later" }
  return {}
}

/**
 * Settings that every run is given on its command line, where they win over those of a repository: nothing that
 * a repository says about itself may start a program, wait for somebody, or reach beyond its work tree.
 */
const safeSettings: readonly (readonly [key: string, value: string])[] = [
  // Programs
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["core.pager", "cat"],
  ["core.editor", "true"],
  ["sequence.editor", "true"],
  ["core.askPass", ""],
  ["core.sshCommand", "false"],
  ["core.alternateRefsCommand", ""],
  ["credential.helper", ""],
  ["credential.interactive", "false"],
  ["diff.external", ""],
  ["interactive.diffFilter", ""],
  ["gpg.program", "false"],
  ["gpg.openpgp.program", "false"],
  ["gpg.ssh.program", "false"],
  ["gpg.x509.program", "false"],
  ["gpg.ssh.defaultKeyCommand", ""],
  ["commit.gpgSign", "false"],
  ["tag.gpgSign", "false"],
  ["log.showSignature", "false"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["checkout.workers", "1"],
  // Other repositories: a submodule has settings of its own, which a program started in it would obey
  ["submodule.recurse", "false"],
  ["fetch.recurseSubmodules", "false"],
  ["diff.submodule", "short"],
  ["diff.ignoreSubmodules", "dirty"],
  ["status.submoduleSummary", "false"],
  ["safe.bareRepository", "explicit"],
  // Network
  ["protocol.allow", "never"],
  ["http.followRedirects", "false"],
  ["transfer.bundleURI", "false"],
  // Files
  ["core.attributesFile", "/dev/null"],
  ["core.protectHFS", "true"],
  ["core.protectNTFS", "true"],
  // The file of settings is protected, so a new branch must not be noted there
  ["branch.autoSetupMerge", "false"],
  ["checkout.guess", "false"],
  ["worktree.guessRemote", "false"],
  // Output
  ["color.ui", "false"],
  ["column.ui", "never"],
  ["core.quotePath", "false"],
]

/** Arguments before the command that make git obey nothing of a repository but what it holds. */
const safeArguments: readonly string[] = [
  "--no-pager",
  ...safeSettings.flatMap(([key, value]) => ["-c", `${key}=${value}`]),
]
