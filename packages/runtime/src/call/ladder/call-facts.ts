import type { Commands, Repository, SandboxedGrant, WorkspaceFacts } from "@haft/contract"
import {
  type CommandAnalysis,
  deniesFile,
  deniesNoneIn,
  joinPath,
  nameInTree,
  type PrintedHistory,
  printedHistory,
  type RuleBook,
} from "@haft/guard"
import type { CallSession } from "../../session/call-session.js"

/** What the verdict of one call asks about the world beyond its own arguments. Made once a call; the ladder reads it. */
export class CallFacts {
  private asked: { readonly book: RuleBook; readonly workspace: Promise<WorkspaceFacts> } | undefined

  /** `runs` is false where the call is only explained: nothing is then read for its undo. */
  constructor(
    private readonly session: CallSession,
    private readonly runs = true,
  ) {}

  /** The facts of the workspace under the rules of this moment; the port is asked again only when those changed. */
  workspace(mayWrite: boolean): Promise<WorkspaceFacts> {
    const { session } = this
    const book = session.rules()
    if (this.asked?.book !== book) {
      const workspace = session.ports.workspaceFacts({
        denies: deniesBy(book, session),
        deniesNone: (folder, names) => deniesNoneIn(book, folder, names),
        rulesKey: book,
        mayWrite: this.runs && mayWrite,
      })
      this.asked = { book, workspace }
    }
    return this.asked.workspace
  }

  /**
   * A name that rules deny and that a git command can print, quoted: a mask hides a denied file, not its history. Git
   * itself is asked, in a read-only sandbox; what it does not answer in time counts as any name.
   */
  async printableSecret(analysis: CommandAnalysis): Promise<string | undefined> {
    for (const content of printedHistory(analysis)) {
      for (const folder of content.folders) {
        const found = await new HistoryQuestion(folder, content, this.session).deniedName()
        if (found !== undefined) return found
      }
    }
    return undefined
  }
}

function deniesBy(book: RuleBook, session: CallSession): SandboxedGrant["denies"] {
  return (kind, path) => deniesFile(book, kind, path, session.ports)
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
      if (deniesFile(book, "fs.read", joinPath(folder, name), this.session.ports)) return `"${name}"`
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
      denies: deniesBy(book, session),
      rulesKey: book,
      sandbox: { profile: "read-only", hosts: [], approved: [], unconfined: false },
    },
  })
  return { commands, program: await commands.find("git") }
}
