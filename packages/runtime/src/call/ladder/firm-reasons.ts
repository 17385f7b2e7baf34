import type { Commands, Repository, SandboxedGrant } from "@haft/contract"
import {
  type CommandAnalysis,
  isWriteFree,
  joinPath,
  judgeFile,
  type ModeOutcome,
  nameInTree,
  type PrintedHistory,
  printedHistory,
  runsUnconfined,
} from "@haft/guard"
import type { CallSession } from "../../session/call-session.js"
import type { EvaluateRequest } from "./evaluate.js"

/** Why a person is asked about a command although rules allow it, where no rule settles that. */
export async function firmReasons(
  request: EvaluateRequest,
  analysis: CommandAnalysis,
  verdict: ModeOutcome["verdict"],
): Promise<readonly string[]> {
  const { session, approved } = request
  const outside = isOutside(request, analysis) ? outsideReason : undefined
  const unmasked = verdict === "allow" && !approved ? await unmaskedReason(session, analysis) : undefined
  const printable = approved ? undefined : await printableSecret(analysis, session)
  return [outside, printable, unmasked].filter((reason) => reason !== undefined)
}

/** Whether the user's configuration lets this command run outside the sandbox. */
export function isOutside({ session }: EvaluateRequest, analysis: CommandAnalysis | undefined): boolean {
  return analysis !== undefined && session.mode !== "plan" && runsUnconfined(analysis, session.unconfined)
}

// Said first, and asked every time: no rule can settle it.
const outsideReason = "outside the sandbox: your configuration lists this command as unconfined"

/** Why a command may not run unasked although rules allow it: files that they deny would be open to it. */
async function unmaskedReason(session: CallSession, analysis: CommandAnalysis): Promise<string | undefined> {
  if (!session.confines) return undefined
  const book = session.rules()
  const denies: SandboxedGrant["denies"] = (kind, path) => judgeFile(book, kind, path, session.ports) === "deny"
  const mayWrite = session.mode !== "plan" && !isWriteFree(analysis)
  const { complete, notes } = await session.ports.maskCoverage({ denies, rulesKey: book, mayWrite })
  return complete ? undefined : `the sandbox cannot hide every denied file: ${notes.join("; ")}`
}

/**
 * Why a git command needs an answer although rules allow it: a mask hides a denied file, not its history. Git itself
 * is asked, in the sandbox, which names the command can print; what it does not answer in time counts as any name.
 */
async function printableSecret(analysis: CommandAnalysis, session: CallSession): Promise<string | undefined> {
  const questions = printedHistory(analysis).flatMap((content) =>
    content.folders.map((folder) => new HistoryQuestion(folder, content, session)),
  )
  for (const question of questions) {
    const found = await question.deniedName()
    if (found !== undefined) return `it can print ${found} from what git keeps, and rules deny reading that`
  }
  return undefined
}

const timeoutMs = 2_000
// A stream keeps half of it at either end; what does not fit is not searched.
const listBytes = 32 * 1024 * 1024
const someName = "files that rules deny"

const nameList = ["--name-only", "-z", "--no-renames", "--no-relative", "--no-ext-diff", "--no-textconv"]
const commitList = ["log", "-m", "--root", "--format=", "--no-show-signature", ...nameList]

class HistoryQuestion {
  private readonly top: string
  private readonly repository: Repository | undefined
  private git: { readonly commands: Commands; readonly program: string | undefined } | undefined

  constructor(
    private readonly folder: string,
    private readonly content: PrintedHistory,
    private readonly session: CallSession,
  ) {
    this.repository = session.ports.repository?.(folder)
    this.top = this.repository?.top ?? folder
  }

  /** A name that rules deny and that the command can print, quoted; undefined when there is none. */
  async deniedName(): Promise<string | undefined> {
    try {
      return await this.answer()
    } catch {
      // No sandbox, no git, too late: nothing is known then.
      return someName
    }
  }

  private async answer(): Promise<string | undefined> {
    const { content } = this
    switch (content.shows) {
      case "everything":
        return this.listed([...commitList, "--all", "--reflog"])
      case "files":
        return this.denied(content.names.flatMap((name) => [joinPath(this.folder, name), joinPath(this.top, name)]))
      default:
        return this.showing(content)
    }
  }

  private async showing(content: Extract<PrintedHistory, { words: readonly string[] }>): Promise<string | undefined> {
    const named = content.words.flatMap((word) => nameInTree(word) ?? [])
    const inTrees = this.denied(named.flatMap((name) => [joinPath(this.top, name), joinPath(this.folder, name)]))
    if (inTrees !== undefined) return inTrees
    const words = content.words.filter((word) => nameInTree(word) === undefined)
    if (words.length === 0 && named.length > 0) return undefined
    const revisions = await this.revisionsAmong(words)
    if (revisions === "other objects") return this.listed([...commitList, "--all", "--reflog"])
    const behind = content.paths === undefined ? [] : ["--", ...content.paths]
    switch (content.shows) {
      case "commits":
        return this.listed([...commitList, ...content.options, ...words, ...behind])
      case "difference":
        // What differs between index and work tree is in the index.
        if (words.length + content.options.length === 0 && this.indexIsClean()) return undefined
        return this.listed(["diff", ...nameList, ...content.options, ...words, ...behind])
      case "trees":
        if (revisions.length === 0)
          return this.indexIsClean() ? undefined : this.listed(["ls-files", "-z", "--full-name", ":/"])
        for (const revision of revisions) {
          const found = await this.listed(["ls-tree", "-r", "-z", "--name-only", "--full-tree", revision])
          if (found !== undefined) return found
        }
        return undefined
    }
  }

  /** The words that mean commits; the others are paths. A word can also mean content that has no name. */
  private async revisionsAmong(words: readonly string[]): Promise<readonly string[] | "other objects"> {
    const revisions: string[] = []
    for (const word of words) {
      for (const end of word.split(/\.{2,3}/)) {
        if (end === "") continue
        const { exitCode, stdout } = await this.run(["cat-file", "-t", `${end.replace(/^\^/, "")}^{}`])
        if (exitCode !== 0) continue
        if (stdout.text.trim() !== "commit") return "other objects"
        revisions.push(end)
      }
    }
    return revisions
  }

  private async listed(args: readonly string[]): Promise<string | undefined> {
    const { exitCode, stdout, stderr, timedOut } = await this.run(args)
    if (exitCode !== 0 && /not a git repository|does not have any commits yet/.test(stderr.text)) return undefined
    if (exitCode !== 0 || timedOut || stdout.truncated) return someName
    return this.denied(new Set(stdout.text.split(/\0\n?/).filter((name) => name !== "")), this.top)
  }

  private indexIsClean(): boolean {
    const tracked = this.repository?.tracked
    return tracked !== undefined && this.denied(tracked.paths()) === undefined
  }

  private denied(names: Iterable<string>, folder = "/"): string | undefined {
    const book = this.session.rules()
    for (const name of names) {
      if (judgeFile(book, "fs.read", joinPath(folder, name), this.session.ports) === "deny") return `"${name}"`
    }
    return undefined
  }

  private async run(args: readonly string[]) {
    this.git ??= await openGit(this.session)
    const { commands, program } = this.git
    if (program === undefined) throw new Error("there is no git")
    const argv = [program, "--no-pager", "--no-optional-locks", ...args]
    return commands.run({ argv, directory: this.folder, timeoutMs, keepBytes: listBytes, profile: "read-only" })
  }
}

async function openGit(session: CallSession) {
  const book = session.rules()
  const commands = session.ports.commands({
    callId: "history",
    sessionId: session.id,
    signal: new AbortController().signal,
    deadlineMs: Number.POSITIVE_INFINITY,
    observe: () => undefined,
    grant: {
      admits: () => false,
      mayKeep: () => false,
      denies: (kind, path) => judgeFile(book, kind, path, session.ports) === "deny",
      rulesKey: book,
      sandbox: { profile: "read-only", hosts: [], approved: [], unconfined: false },
    },
  })
  return { commands, program: await commands.find("git") }
}
