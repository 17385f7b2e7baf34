import { type Argument, type Findings, mayBeOption, quoted } from "../findings.js"
import type { ProgramFamily, ReadProgram } from "../program.js"

const harmless: ReadProgram = () => {}

/** Programs and shell words that only tell about the machine or compute with their arguments. */
export const factPrograms: ProgramFamily = {
  ":": harmless,
  true: harmless,
  false: harmless,
  echo: harmless,
  printf: printfWords,
  test: testWords,
  "[": testWords,
  exit: harmless,
  return: harmless,
  break: harmless,
  continue: harmless,
  shift: harmless,
  // Not here: -p sets a variable.
  wait: { options: "fn", operands: "text" },
  jobs: { options: "lnprs", operands: "text" },
  disown: { options: "ahr", operands: "text" },
  times: { options: "", operands: "none" },
  umask: { options: "pS", operands: "text" },
  dirs: { options: "clpv", operands: "none" },
  type: { options: "aftpP", operands: "text" },
  // Not here: -p gives a name to another program.
  hash: { options: "rt", operands: "text", careful: true },
  which: harmless,
  whereis: harmless,
  pwd: { options: "LP", operands: "none" },
  basename: harmless,
  dirname: harmless,
  realpath: {
    options:
      "eLmPqsz --canonicalize-existing --canonicalize-missing --logical --physical --quiet --relative-to= --relative-base= --strip --no-symlinks --zero",
    operands: "text",
  },
  readlink: {
    options:
      "efmnqsvz --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --zero",
    operands: "text",
  },
  seq: harmless,
  expr: harmless,
  factor: harmless,
  numfmt: {
    options: "dz --from= --to= --suffix= --padding= --field= --format= --header? --round= --grouping --invalid=",
    operands: "text",
  },
  sleep: harmless,
  yes: harmless,
  whoami: { options: "", operands: "none" },
  id: harmless,
  groups: harmless,
  users: { options: "", operands: "none" },
  who: { options: "abdHlmpqrstTu", operands: "none" },
  logname: { options: "", operands: "none" },
  tty: { options: "s", operands: "none" },
  uname: {
    options:
      "amnrspvio --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor --operating-system",
    operands: "none",
  },
  arch: { options: "", operands: "none" },
  nproc: { options: "--all --ignore=", operands: "none" },
  uptime: { options: "ps --pretty --since", operands: "none" },
  hostname: {
    options: "adfiIsy --fqdn --short --ip-address --all-ip-addresses --domain",
    operands: "none",
    careful: true,
  },
  locale: { options: "ack", operands: "text" },
  getconf: { options: "a", operands: "text" },
  date: {
    options: "uR I? d= --date= f< --file< r< --reference< --utc --universal --rfc-email --iso-8601? --rfc-3339=",
    operands: "text",
    careful: true,
    inspect: ({ operands }, findings) => {
      const sets = operands.find(({ text }) => !/^["']?\+/.test(text))
      if (sets) findings.opaque(`"${sets.text}" would set the clock`)
    },
  },
  cal: { options: "13jmsyw ABCnSN=", operands: "text" },
  ps: harmless,
  pgrep: { options: "aclnorvwx fguUtPG= --list-name --list-full", operands: "text" },
  free: { options: "bghkmtwl cs= --human --mebi --gibi --total --wide", operands: "none" },
  df: {
    options:
      "ahHiklPT tBx= --all --human-readable --inodes --local --portability --print-type --si --total --type= --exclude-type= --output? --block-size=",
    operands: "text",
  },
  lscpu: { options: "aeJpxy", operands: "none" },
  printenv: harmless,
}

/** `-v` sets a variable, and so does `%n`, to the number of characters so far. */
function printfWords(words: readonly Argument[], findings: Findings): void {
  const [format, ...values] = words[0]?.text === "--" ? words.slice(1) : words
  const sets =
    format?.kind === "literal"
      ? words[0]!.text.startsWith("-v") || /%[^%a-mo-zA-Z]*n/.test(format.text.replaceAll("%%", ""))
      : format && (mayBeOption(format) || values.length > 0)
  if (sets) findings.steered("it could set a variable, and bash evaluates a name with a subscript")
}

/** Comparing never runs anything, except where bash evaluates the subscript of a variable's name. */
function testWords(words: readonly Argument[], findings: Findings): void {
  const loose = words.find((word) => word.kind === "unknown" && word.shape === "any")
  if (loose) findings.steered(`${quoted(loose.text)} is not quoted and could become any comparison`)
  for (const [index, name] of words.entries()) {
    const before = words[index - 1]
    const named = before?.kind === "literal" && (before.text === "-v" || before.text === "-R")
    const harmless = name.kind === "literal" && (named ? /^\w*$/.test(name.text) : !name.text.includes("["))
    // A word that is not known may turn out to be `-v`.
    if ((named || before?.kind === "unknown") && !harmless)
      findings.steered(`bash evaluates the name ${quoted(name.text)}`)
  }
}
