import { copy, install, link, move } from "../copy.js"
import { type Argument, type Findings, literal, quoted } from "../findings.js"
import type { ProgramFamily } from "../program.js"
import { hasOption } from "../read-arguments.js"

/** Programs that make, change and remove files that they name. */
export const fileWriters: ProgramFamily = {
  cp: copy,
  mv: move,
  ln: link,
  install,
  dd,
  rm: {
    options:
      "dfiIrRv --dir --force --interactive? --recursive --verbose --one-file-system --preserve-root? --no-preserve-root",
    operands: "deletes",
    changes: true,
    careful: true,
  },
  rmdir: {
    options: "pv --parents --verbose --ignore-fail-on-non-empty",
    operands: "deletes",
    changes: true,
    inspect: (read, findings) => {
      if (hasOption(read, "-p", "--parents")) findings.opaque("it removes the folders above as well")
    },
  },
  unlink: { options: "", operands: "deletes", changes: true },
  shred: {
    options: "fuvxz ns= --force --remove? --verbose --zero --iterations= --size=",
    operands: "deletes",
    changes: true,
    inspect: ({ operands }, findings) => {
      for (const file of operands) findings.write(file)
    },
  },
  split: {
    // Not here: --filter runs a command.
    options:
      "abCln= t= dexuz --bytes= --lines= --number= --suffix-length= --additional-suffix= --numeric-suffixes? --hex-suffixes? --elide-empty-files --verbose",
    operands: "text",
    changes: true,
    careful: true,
    inspect: ({ operands: [from, prefix] }, findings) => {
      if (from) findings.read(from)
      findings.write(prefix?.kind === "literal" ? literal(prefix.text.replace(/[^/]*$/, ".")) : literal("."))
      findings.opaque("the names of its pieces cannot be known before it runs")
    },
  },
  mkdir: { options: "pvZ m= --parents --verbose --mode=", operands: "writes", changes: true },
  touch: { options: "acfhm dt= r< --no-create --date= --reference< --time=", operands: "writes", changes: true },
  mkfifo: { options: "m= --mode=", operands: "writes", changes: true },
  truncate: { options: "co sr= --no-create --io-blocks --size= --reference=", operands: "writes", changes: true },
  tee: { options: "aip --append --ignore-interrupts --output-error?", operands: "writes", changes: true },
  chmod: {
    options: "cfvR --changes --silent --quiet --verbose --recursive --preserve-root --reference<",
    operands: "text, writes",
    changes: true,
    careful: true,
  },
  chown: {
    options: "cfhvRHLP --changes --no-dereference --verbose --recursive --from= --preserve-root --reference<",
    operands: "text, writes",
    changes: true,
    careful: true,
  },
  chgrp: {
    options: "cfhvRHLP --changes --no-dereference --verbose --recursive --preserve-root --reference<",
    operands: "text, writes",
    changes: true,
    careful: true,
  },
  mktemp: {
    options: "dqut p= --directory --dry-run --quiet --suffix= --tmpdir?",
    operands: "text",
    changes: true,
    inspect: (_read, findings) => findings.opaque("where it makes its file cannot be known before it runs"),
  },
}

/** `dd`: `if=` is read, `of=` is written. */
function dd(words: readonly Argument[], findings: Findings): void {
  for (const word of words) {
    const [, key, value] = /^(\w+)=([\s\S]*)$/.exec(word.text) ?? []
    if (word.kind !== "literal") findings.opaque(`what ${quoted(word.text)} is cannot be known before it runs`)
    else if (key === "if") findings.read(literal(value!))
    else if (key === "of") findings.write(literal(value!))
    else if (!key || !settings.has(key)) findings.opaque(`it is not known what the word ${quoted(word.text)} does`)
  }
}

const settings = new Set(["bs", "cbs", "conv", "count", "ibs", "iflag", "obs", "oflag", "seek", "skip", "status"])
