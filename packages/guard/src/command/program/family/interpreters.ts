import { type Argument, literal } from "../../argument.js"
import type { Findings } from "../findings.js"
import type { ProgramFamily, ReadProgram } from "../program.js"

/** Programs that run code of their own kind or text kept in files: known, but not followed. */
export const interpreters: ProgramFamily = Object.fromEntries(
  "python python2 python3 node nodejs deno ruby perl php lua luajit Rscript java javac dotnet go rustc gcc g++ cc c++ clang tsx ts-node osascript expect tclsh guile ghc julia elixir swift make gmake just ninja cmake meson bazel gradle mvn ant rake tox nox pytest vitest jest tsc eslint prettier biome docker podman kubectl helm terraform ansible vim vi nvim emacs nano ed ex man gdb lldb strace ltrace ldd"
    .split(" ")
    .map((name): [string, ReadProgram] => [
      name,
      name === "make" || name === "gmake" || name === "just" ? recipeRunner : interpreter,
    ]),
)

function interpreter(words: readonly Argument[], findings: Findings): void {
  findings.opaque("it runs code that is not followed here")
  const [first] = words
  // The script itself is read; what follows are its own arguments.
  if (first?.kind === "literal" && /^[^-].*\.\w{1,4}$/.test(first.text)) findings.read(literal(first.text))
}

function recipeRunner(_words: readonly Argument[], findings: Findings): void {
  findings.opaque("it runs text that is kept in a file")
}
