import { runsOnlyReads } from "./awk-program.js"
import type { Argument, Findings } from "./findings.js"
import { readArguments } from "./read-arguments.js"

/** `awk`: its files, and whether its program does more than print. */
export function awk(words: readonly Argument[], findings: Findings): void {
  const { operands } = readArguments(
    words,
    {
      options: "Fv= --field-separator= --assign= --posix --traditional --re-interval --csv",
      ordered: true,
      careful: true,
    },
    findings,
  )
  const [program, ...files] = operands
  if (program?.kind !== "literal") {
    findings.steered("its program cannot be known before it runs")
    return
  }
  if (!runsOnlyReads(program.text)) findings.steered("its program writes, runs or reads what is not named here")
  for (const file of files) {
    // `name=value` sets a variable between two files.
    if (file.kind !== "literal" || !/^[A-Za-z_]\w*=/.test(file.text)) findings.read(file)
  }
}
