import { type Argument, type Findings, literal, quoted } from "../findings.js"
import type { ProgramFamily, ReadProgram } from "../program.js"

/** Programs that run code of their own kind or text kept in files: known, but not followed. */
export const interpreters: ProgramFamily = {
  ...named(
    "python python2 python3 node nodejs deno ruby perl php lua luajit Rscript java javac dotnet rustc gcc g++ cc c++ clang tsx ts-node osascript expect tclsh guile ghc julia elixir swift ninja cmake meson bazel gradle mvn ant rake tox nox pytest vitest jest tsc eslint prettier biome docker podman kubectl helm terraform ansible",
    interpreter,
  ),
  ...named("make gmake just", scriptRunner),
  go: (words, findings) => {
    interpreter(words, findings)
    refuse(words, /^--?(?:exec|toolexec|vettool)(?:=|$)/, findings)
  },
  // They have commands of their own that run others, given by options or typed into them.
  ...named("vim vi nvim view", editor(/^(?:-[RnNpoOdmMZby]+\d*|--clean|--noplugin|--version|--help|--|\+\d*)$/)),
  ...named("emacs nano", editor(/^(?:-nw|-Q|-q|--)$/)),
  ...named("ed ex", editor(/^(?!)/, "its commands can run others")),
  man: editor(/^(?:-[kfaw]|--)$/),
  ...named(
    "gdb lldb strace ltrace ldd valgrind perf chroot script unbuffer prlimit setarch linux32 linux64 setpriv capsh dbus-run-session ssh-agent systemd-run runuser start-stop-daemon xvfb-run batch complete compgen bind fc enable",
    (_words, findings) => findings.steered("it runs what its words or its input name"),
  ),
}

function named(names: string, read: ReadProgram): ProgramFamily {
  return Object.fromEntries(names.split(" ").map((name) => [name, read]))
}

function interpreter(words: readonly Argument[], findings: Findings): void {
  findings.runsCode("it runs code that is not followed here")
  const [first] = words
  // The script itself is read; what follows are its own arguments.
  if (first?.kind === "literal" && /^[^-].*\.\w{1,4}$/.test(first.text)) findings.read(literal(first.text))
}

/** A variable that is set for `make` may be the shell or a program of its rules. */
function scriptRunner(words: readonly Argument[], findings: Findings): void {
  findings.runsCode("it runs text that is kept in a file")
  refuse(words, /^(?:--eval|-E|--shell|-f-|-$|[\w.]+[:+?!]*=(?!(?:\d+|y|n|yes|no|true|false|on|off)?$))/, findings)
}

function editor(harmless: RegExp, always?: string): ReadProgram {
  return (words, findings) => {
    findings.runsCode("it runs code that is not followed here")
    if (always !== undefined) findings.steered(always)
    const options = words.filter(({ text }) => /^[-+]/.test(text) && !harmless.test(text))
    refuse(options, /^/, findings)
  }
}

function refuse(words: readonly Argument[], running: RegExp, findings: Findings): void {
  const odd = words.find(({ text }) => running.test(text))
  if (odd) findings.steered(`${quoted(odd.text)} decides which programs run`)
}
