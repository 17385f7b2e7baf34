import { type Argument, mayBeOption, quoted } from "../../argument.js"
import type { Findings } from "../findings.js"
import type { ProgramFamily, ReadProgram } from "../program.js"

const harmless: ReadProgram = () => {}

/** Programs and shell words that only tell about the machine or compute with their arguments. */
export const factPrograms: ProgramFamily = {
  ":": harmless,
  true: harmless,
  false: harmless,
  echo: harmless,
  printf: ([first], findings) => {
    if (first?.kind === "literal" ? first.text.startsWith("-v") : first && mayBeOption(first)) {
      findings.opaque("it could set a variable")
    }
  },
  test: testWords,
  "[": testWords,
  exit: harmless,
  return: harmless,
  break: harmless,
  continue: harmless,
  shift: harmless,
  wait: harmless,
  jobs: { options: "lnprs", operands: "text" },
  disown: { options: "ahr", operands: "text" },
  times: { options: "", operands: "none" },
  umask: { options: "pS", operands: "text" },
  dirs: { options: "clpv", operands: "none" },
  type: { options: "aftpP", operands: "text" },
  hash: { options: "rt", operands: "text" },
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
    options: "uRI? d= --date= f< --file< r< --reference< --utc --universal --rfc-email --iso-8601? --rfc-3339=",
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

/** Comparing never runs anything, except where bash evaluates the subscript of a variable's name. */
function testWords(words: readonly Argument[], findings: Findings): void {
  const loose = words.find((word) => word.kind === "unknown" && word.shape === "any")
  if (loose) findings.opaque(`${quoted(loose.text)} is not quoted and could become any comparison`)
  const at = words.findIndex((word) => word.kind === "literal" && (word.text === "-v" || word.text === "-R"))
  const name = words[at + 1]
  if (at >= 0 && name && !(name.kind === "literal" && /^\w*$/.test(name.text))) {
    findings.opaque(`bash evaluates the name ${quoted(name.text)}`)
  }
}
