import { type CommandOutcome, type Commands, type Context, type Execute, ToolError } from "@haft/contract"
import { findGit } from "../shared/git/find-git.js"
import { gitFailed, runGit } from "../shared/git/run-git.js"
import type { manifest } from "./index.js"
import { defaultPath, parseSource, refusal, type Source } from "./source.js"

const cloneTimeoutMs = 600_000

/** Clones without templates, hooks, submodules and any protocol but the one of the address. */
export const execute: Execute<typeof manifest> = async ({ url, path }, context) => {
  const source = parseSource(url)
  if (source.kind === "refused") throw refusal(url, source)
  const { commands, files } = context
  const program = await findGit(commands)
  const { address, protocol } = await addressOf(source, url, context)
  const target = await freePlace(context, path ?? defaultPath(url))
  const outcome = await runGit(commands, {
    label: "git clone",
    program,
    arguments: ["clone", ...options, "--end-of-options", address, target],
    protocols: [protocol],
    timeoutMs: cloneTimeoutMs,
  })
  if (outcome.exitCode !== 0) throw gitFailed(outcome, "git clone")
  const { level, backend, profile, network } = outcome.isolation
  return {
    path: files.display(target),
    ...(await headOf(commands, program, target)),
    isolation: { level, backend, profile, network },
  }
}

const options: readonly string[] = [
  "--quiet",
  "--template=",
  "--no-recurse-submodules",
  "--no-local",
  "--origin=origin",
]

/** An address that git takes for nothing else than what was judged. */
async function addressOf(
  source: Exclude<Source, { kind: "refused" }>,
  url: string,
  { files }: Context<(typeof manifest)["requires"]>,
): Promise<{ readonly address: string; readonly protocol: string }> {
  if (source.kind === "web") return { address: source.url, protocol: source.scheme }
  if ((await files.stat(source.path))?.kind !== "directory") {
    throw new ToolError("not_found", `Cannot clone "${url}": there is no such folder; name a repository`)
  }
  const { resolved } = await files.locate(source.path)
  return { address: `file://${encodeURI(resolved).replaceAll("?", "%3F").replaceAll("#", "%23")}`, protocol: "file" }
}

async function freePlace({ files }: Context<(typeof manifest)["requires"]>, path: string): Promise<string> {
  const { resolved } = await files.locate(path)
  const facts = await files.stat(resolved)
  const isFree = facts === undefined || (facts.kind === "directory" && (await isEmpty(files, resolved)))
  if (isFree) return resolved
  throw new ToolError(
    "conflict",
    `Cannot clone into "${files.display(resolved)}": something is there; name another path`,
  )
}

async function isEmpty({ list }: Context<(typeof manifest)["requires"]>["files"], folder: string): Promise<boolean> {
  const { entries, denied } = await list(folder, { maxEntries: 1 })
  return entries.length === 0 && denied === 0
}

async function headOf(commands: Commands, program: string, target: string) {
  const place = [`--git-dir=${target}/.git`, `--work-tree=${target}`]
  const ask = (args: readonly string[]) =>
    runGit(commands, { label: "git rev-parse", program, options: place, arguments: args, profile: "read-only" })
  const commit = await ask(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])
  const branch = await ask(["symbolic-ref", "--quiet", "--short", "HEAD"])
  return { commit: lineOf(commit), branch: lineOf(branch) }
}

function lineOf({ exitCode, stdout }: CommandOutcome): string | null {
  return exitCode === 0 ? stdout.text.trim() : null
}
