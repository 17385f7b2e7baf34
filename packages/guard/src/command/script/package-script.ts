/** How a program finds the scripts of a package. */
interface ScriptRunner {
  /** Commands behind which the name of a script is. */
  readonly run: ReadonlySet<string>
  /** Scripts that run by a name of their own; `any` where every script does, unless there is a command of that name. */
  readonly short: ReadonlyMap<string, string> | "any"
  /** Its own commands that run no script by name. An abbreviation is not among them: it may be one of a script. */
  readonly own: ReadonlySet<string>
  /** Options behind the name are its own, and not for the script. */
  readonly takesOptions: boolean
}

/** The script of the package in the working directory that a command runs; undefined when it runs none or cannot be known. */
export function packageScript(program: string, words: readonly string[]): string | undefined {
  if (program === "node" && words[0] === "--run") return words[1]
  const runner = runners.get(program)
  if (!runner) return undefined
  const given = withoutQuiet(words)
  const [verb = "", name = ""] = given
  const isRun = runner.run.has(verb)
  const script = isRun ? name : shortName(runner, verb)
  if (!script || script.startsWith("-") || (program === "bun" && isFile(script))) return undefined
  const end = given.indexOf("--")
  const behind = given.slice(isRun ? 2 : 1, end < 0 ? given.length : end)
  const isElsewhere = (word: string) => (runner.takesOptions ? word.startsWith("-") : otherPlace.test(word))
  return behind.some(isElsewhere) ? undefined : script
}

/** Whether a command may run a script, of whichever package: everything but what is known to run none. */
export function mayRunScript(program: string, words: readonly string[]): boolean {
  if (program === "node") return words.some((word) => word.startsWith("--run"))
  if (program === "deno") return words.includes("task")
  if (program === "composer") return words.length > 0 && !composerCommands.has(words[0]!)
  const runner = runners.get(program)
  const [verb] = withoutQuiet(words)
  if (!runner || verb === undefined || runner.own.has(verb)) return false
  return !(program === "bun" && words.some(isFile))
}

/** Only options of which it is known that they change no text and no place. */
function withoutQuiet(words: readonly string[]): readonly string[] {
  const end = words.indexOf("--")
  return words.filter((word, index) => !quiet.has(word) || (end >= 0 && index > end))
}

const quiet = new Set(["-s", "--silent", "--quiet", "--if-present"])

/** `bun` runs a file by its name, as any interpreter does. */
function isFile(word: string): boolean {
  return /^[^-].*[./]|^[./]/.test(word)
}

function shortName({ short, own }: ScriptRunner, verb: string): string | undefined {
  if (short !== "any") return short.get(verb)
  return verb === "t" ? "test" : own.has(verb) || notByName.has(verb) ? undefined : verb
}

const otherPlace = /^(?:-w|-C|--workspaces?|--prefix|--dir|--cwd|--script-shell|-r|--recursive|--filter)(?:=|$)/

// These run scripts of other packages, or several.
const notByName = new Set("workspace workspaces install-test it pack publish version exec dlx x".split(" "))

const runVerbs: ReadonlySet<string> = new Set(["run", "run-script"])

const runners: ReadonlyMap<string, ScriptRunner> = new Map([
  [
    "npm",
    {
      run: runVerbs,
      short: new Map([
        ["test", "test"],
        ["t", "test"],
        ["tst", "test"],
        ["start", "start"],
        ["stop", "stop"],
        ["restart", "restart"],
      ]),
      own: new Set(
        "access add adduser audit bugs c cache ci completion config create dedupe deprecate diff dist-tag docs doctor exec explain explore find find-dupes fund get help help-search i info init install la link list ll ln login logout ls org outdated owner ping pkg prefix profile prune query r rebuild remove repo rm root sbom search set show shrinkwrap star stars team token un undeprecate uninstall unlink unpublish unstar up update upgrade v view whoami x".split(
          " ",
        ),
      ),
      takesOptions: true,
    },
  ],
  ...["pnpm", "yarn"].map((name): [string, ScriptRunner] => [
    name,
    {
      run: runVerbs,
      short: "any",
      own: new Set(
        "add approve-builds audit autoclean bin c cache cat-file cat-index check config constraints create dedupe deploy dlx doctor env exec explain fetch find-hash generate-lock-entry global help i import info init install licenses link list ll ln login logout ls node npm outdated owner patch patch-commit patch-remove plugin policies prune rb rebuild remove rm root search self-update server set setup stage store tag team un uninstall unlink unplug up update upgrade upgrade-interactive versions why".split(
          " ",
        ),
      ),
      takesOptions: false,
    },
  ]),
  [
    "bun",
    {
      run: new Set(["run"]),
      short: "any",
      own: new Set(
        "a add audit build c completions create exec i info init install link outdated patch pm publish repl remove rm test unlink update upgrade why x".split(
          " ",
        ),
      ),
      takesOptions: false,
    },
  ],
])

const composerCommands = new Set(
  "about archive audit browse bump check-platform-reqs clear-cache completion config create-project depends diagnose dump-autoload exec fund global help i info init install licenses list outdated prohibits r reinstall remove require search self-update show status suggests u update upgrade validate why why-not".split(
    " ",
  ),
)
