import type { Hint } from "@haft/contract"
import type { CommandPartAnalysis } from "../../command/command-analysis.js"
import { allow, type Detector, type DetectorVerdict, type WatchdogRequest } from "../run-watchdog.js"

/** Refuses what waits for somebody at a terminal: it would wait until its time is up, or print what nobody can read. */
export const fullScreenPrograms: Detector = {
  id: "full-screen-programs",
  about: "Editors, pagers, monitors and other programs that take over a terminal, and commands that open an editor",
  commandsOnly: true,
  inspect,
}

function inspect({ command }: WatchdogRequest): DetectorVerdict {
  const parts = command?.parts ?? []
  for (const [index, part] of parts.entries()) {
    const found = takesOver(part, parts.slice(index + 1)) ?? opensEditor(part, parts.slice(0, index))
    if (!found) continue
    const shown = part.text.length > maxShown ? `${part.text.slice(0, maxShown)}...` : part.text
    const reason = `"${shown}" ${found.what}, and nobody is at a terminal here`
    return { verdict: "deny", reason, hint: found.instead, unsupported: true }
  }
  return allow
}

const maxShown = 80

interface Waiting {
  readonly what: string
  readonly instead: Hint
}

interface FullScreen extends Waiting {
  readonly programs: string
  /** Whether it prints or works by itself with these words. */
  readonly isQuiet: (words: readonly string[]) => boolean
  /** It only prints when its output goes elsewhere. */
  readonly pages?: true
}

/** With one of these words, or when it only tells about itself. */
const when = (quiet: RegExp) => (words: readonly string[]) => words.some((word) => quiet.test(word) || tells.test(word))
const tells = /^--?(?:version|help)$/
const tellsOnly = when(tells)

const asEditor = {
  what: "opens an editor on the whole terminal",
  instead: [
    { say: "Change the file with {tool:edit|write}" },
    "A command can take the change as an argument, such as sed -i",
  ],
}
const asMonitor = {
  what: "takes over the terminal until somebody ends it",
  instead: "Take one look with a program that prints and ends, for instance top -b -n 1 or ps aux",
}
const asScreen = {
  what: "takes over the terminal until somebody ends it",
  instead: "Use a program, or options of this one, that print and end",
}

const fullScreen: readonly FullScreen[] = [
  {
    ...asEditor,
    programs: "vi vim nvim view vimdiff nvimdiff",
    isQuiet: (words) => when(/^(?:-\w*[eE]s?|-{2}headless)$/)(words) || words.some(leavesVim),
  },
  { ...asEditor, programs: "emacs", isQuiet: when(/^--?(?:batch|script|daemon|x)\b/) },
  { ...asEditor, programs: "nano pico micro joe jed mcedit hx helix kak ne mg", isQuiet: tellsOnly },
  {
    what: "shows a text page by page",
    instead: "Print it instead: leave the pager out, use cat, head or tail, or end the line with | cat",
    programs: "less more most pg man info",
    isQuiet: when(/^(?:-[kfwKV]$|--pager=|-P|--(?:where|apropos|whatis|output))/),
    pages: true,
  },
  { ...asMonitor, programs: "top", isQuiet: when(/^(?:-[hvl]|-\w*b)/) },
  { ...asMonitor, programs: "htop btop bpytop gtop nvtop bashtop s-tui", isQuiet: tellsOnly },
  {
    ...asMonitor,
    programs: "iotop iftop nethogs atop glances nmon",
    isQuiet: when(/^(?:-[btPrfwo]|--(?:batch|stdout|export))/),
  },
  { ...asScreen, programs: "watch", isQuiet: tellsOnly, instead: "Run the command once, and again when it is needed" },
  {
    ...asScreen,
    programs: "tig lazygit gitui mc ranger nnn lf vifm k9s dialog whiptail alsamixer cfdisk mutt neomutt irssi weechat",
    isQuiet: tellsOnly,
  },
  { ...asScreen, programs: "ncdu", isQuiet: when(/^-o/) },
  { ...asScreen, programs: "lynx w3m links elinks", isQuiet: when(/^-?-(?:dump|source|cmd_script)/) },
  { ...asScreen, programs: "fzf", isQuiet: when(/^(?:-f|--filter)/) },
]

/** A command of the editor that ends it. */
function leavesVim(word: string, index: number, words: readonly string[]): boolean {
  if (word.startsWith("+")) return leaving.test(word.slice(1))
  return (words[index - 1] === "-c" || words[index - 1] === "--cmd") && leaving.test(word)
}

const leaving = /(?:^|[:|\s])(?:[wx]?qa?|xa?|w?qall|quit|exit)!?$/

const byName = new Map(fullScreen.flatMap((each) => each.programs.split(" ").map((name) => [name, each] as const)))

function takesOver(part: CommandPartAnalysis, later: readonly CommandPartAnalysis[]): Waiting | undefined {
  const [program = "", ...words] = part.argv
  const known = byName.get(nameOf(program))
  if (known === undefined || known.isQuiet(words)) return undefined
  if (!known.pages) return known
  const isPiped = part.pipeline !== undefined && later.some(({ pipeline }) => pipeline === part.pipeline)
  const isRedirected = (part.redirected?.writes.length ?? 0) > 0
  const hasPager = part.assignments.some((assignment) => /^(?:MAN|)PAGER=/.test(assignment))
  return isPiped || isRedirected || hasPager ? undefined : known
}

/** A program of the machine; a file of the workspace that has the same name is another one. */
function nameOf(program: string): string {
  return /^(?:(?:\/usr(?:\/local)?|\/opt\/homebrew)?\/bin\/)?([^/]+)$/.exec(program)?.[1] ?? ""
}

interface Opening {
  readonly command: RegExp
  readonly instead: string
}

const otherEditor = "Give the text with an option or a file, or set EDITOR to a command that makes the change"

const openings: readonly Opening[] = [
  {
    command: /^git rebase (?:.* )?(?:-i|--interactive|--edit-todo)(?: |$)/,
    instead:
      "Set GIT_SEQUENCE_EDITOR to a command that changes the list, as in: GIT_SEQUENCE_EDITOR='sed -i 2s/pick/squash/' git rebase -i HEAD~2",
  },
  { command: /^git (?:config|add) (?:.* )?(?:-e|--edit)(?: |$)/, instead: otherEditor },
  { command: /^git branch (?:.* )?--edit-description(?: |$)/, instead: otherEditor },
  {
    command: /^crontab (?:.* )?-e(?: |$)/,
    instead: "Print the table with crontab -l, change it in a file, and install that with crontab FILE",
  },
  { command: /^(?:visudo|vipw|vigr|sudoedit)(?: |$)/, instead: otherEditor },
  { command: /^(?:kubectl|oc) (?:.* )?edit /, instead: otherEditor },
  { command: /^systemctl edit (?!.*--stdin)/, instead: otherEditor },
]

/** Commands that wait for an editor, unless the line says which one. */
function opensEditor(part: CommandPartAnalysis, before: readonly CommandPartAnalysis[]): Waiting | undefined {
  const spellings = [part.argv, ...(part.readings ?? [])].map(([program = "", ...words]) =>
    [nameOf(program), ...words].join(" ").slice(0, maxRead),
  )
  const opening = openings.find(({ command }) => spellings.some((spelling) => command.test(spelling)))
  if (opening === undefined) return undefined
  const said = [
    ...part.assignments,
    ...part.argv,
    ...before.flatMap(({ argv, assignments }) => [...argv, ...assignments]),
  ]
  if (
    said.some((word) => /^(?:(?:GIT_(?:SEQUENCE_)?|KUBE_|SUDO_|)EDITOR|VISUAL|(?:sequence|core)\.editor)=/.test(word))
  ) {
    return undefined
  }
  return { what: "opens an editor", instead: opening.instead }
}

// The words that decide are at the beginning.
const maxRead = 2_000
