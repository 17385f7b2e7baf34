import { type Argument, type Findings, mayBeOption, quoted } from "../findings.js"
import { operandRules, type Program, type ProgramFamily } from "../program.js"
import type { ReadArguments } from "../read-arguments.js"

/** Programs that read text and write it to standard output. */
export const textReaders: ProgramFamily = {
  cat: {
    options:
      "AbeEnstTuv --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting",
    operands: "reads",
  },
  tac: { options: "br s= --before --regex --separator=", operands: "reads" },
  rev: { options: "", operands: "reads" },
  nl: { options: "bdfhilnsvw= p", operands: "reads" },
  head: { options: "cn= qvz --bytes= --lines= --quiet --silent --verbose", operands: "reads", numbers: true },
  tail: {
    options: "cns= fFqvrz --bytes= --lines= --follow? --pid= --quiet --retry --sleep-interval= --verbose",
    operands: "reads",
    numbers: true,
  },
  wc: { options: "clmLw --bytes --chars --lines --max-line-length --words --total=", operands: "reads" },
  cut: {
    options:
      "bcdf= nsz --bytes= --characters= --delimiter= --fields= --complement --only-delimited --output-delimiter=",
    operands: "reads",
  },
  tr: { options: "cCdst --complement --delete --squeeze-repeats --truncate-set1", operands: "text" },
  sort: {
    // Not here: --compress-program runs a program, -T and --files0-from name files that are not listed.
    options:
      "bcCdfghiMmnRrsuVz kStN= o> --check? --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --human-numeric-sort --ignore-nonprinting --month-sort --merge --numeric-sort --random-sort --reverse --stable --unique --version-sort --zero-terminated --key= --field-separator= --buffer-size= --parallel= --output> --sort= --debug",
    operands: "reads",
    careful: true,
  },
  uniq: {
    options:
      "cdDiuz fsw= --count --repeated --all-repeated? --ignore-case --unique --skip-fields= --skip-chars= --check-chars=",
    operands: "read, write",
    careful: true,
  },
  comm: { options: "123z --check-order --nocheck-order --output-delimiter= --total", operands: "reads" },
  join: { options: "12aejotv= iz --header --ignore-case --check-order --nocheck-order", operands: "reads" },
  paste: { options: "d= sz --delimiters= --serial", operands: "reads" },
  column: {
    options: "txJ csNRHWTEolnir= --table --json --separator= --output-separator= --table-columns=",
    operands: "reads",
  },
  fold: { options: "bs w= --bytes --spaces --width=", operands: "reads", numbers: true },
  fmt: { options: "cstu wgp= --width= --split-only", operands: "reads", numbers: true },
  pr: { options: "adFJmrTtv hlNowW=", operands: "reads", numbers: true },
  expand: { options: "i t= --initial --tabs=", operands: "reads" },
  unexpand: { options: "a t= --all --first-only --tabs=", operands: "reads" },
  shuf: {
    options: "erz in= o> --echo --repeat --zero-terminated --input-range= --head-count= --output>",
    operands: "reads",
    careful: true,
  },
  tsort: { options: "", operands: "reads" },
  look: { options: "adf t=", operands: "pattern, reads" },
  iconv: { options: "cls ft= o> --from-code= --to-code= --output> --list --silent", operands: "reads", careful: true },
  diff: {
    options:
      "abBcdeEHilnNpqrstTuwyZ CUWIxF= X< --brief --report-identical-files --unified? --context? --recursive --new-file --ignore-case --ignore-all-space --ignore-space-change --ignore-blank-lines --ignore-trailing-space --side-by-side --suppress-common-lines --width= --color? --exclude= --label= --from-file< --to-file< --strip-trailing-cr --text --minimal --no-dereference --show-c-function --left-column --normal --ed --rcs",
    operands: "reads",
    numbers: true,
  },
  cmp: { options: "bls in= --print-bytes --verbose --silent --quiet --bytes= --ignore-initial=", operands: "reads" },
  diff3: { options: "AeEim3xXTv L= --merge --label= --text", operands: "reads" },
  less: { options: "eEFgGiIJKmMnNqQrRsSuUVwWXfc bhjxyz=", operands: "reads", careful: true, inspect: lessWords },
  more: { options: "dfulcsp n=", operands: "reads", numbers: true, careful: true, inspect: refusePlus },
  strings: {
    options: "afo ntes= --all --print-file-name --bytes= --radix= --encoding=",
    operands: "reads",
    numbers: true,
    inspect: refuseOptionFiles,
  },
  od: {
    options:
      "abcdfhHilosvx AjNSt= w? --address-radix= --skip-bytes= --read-bytes= --format= --output-duplicates --width?",
    operands: "reads",
  },
  hexdump: { options: "bcCdovx ens= f<", operands: "reads" },
  hd: { options: "bcCdovx ens= f<", operands: "reads" },
  xxd,
  base64: { options: "diD w= --decode --ignore-garbage --wrap=", operands: "reads" },
  base32: { options: "di w= --decode --ignore-garbage --wrap=", operands: "reads" },
  md5sum: checksum(),
  sha1sum: checksum(),
  sha224sum: checksum(),
  sha256sum: checksum(),
  sha384sum: checksum(),
  sha512sum: checksum(),
  b2sum: checksum(),
  shasum: { options: "btUp a= --binary --text --algorithm=", operands: "reads" },
  cksum: { options: "a= --algorithm= --untagged --tag", operands: "reads" },
  sum: { options: "rs --sysv", operands: "reads" },
  zcat: { options: "fqv", operands: "reads" },
  bzcat: { options: "qs", operands: "reads" },
  xzcat: { options: "qv", operands: "reads" },
  zstdcat: { options: "qv", operands: "reads" },
  jq: {
    options:
      "aCcehjMnrSs f< L= --arg== --argjson== --slurpfile=< --rawfile=< --from-file< --args --jsonargs --ascii-output --color-output --compact-output --exit-status --indent= --join-output --monochrome-output --null-input --raw-input --raw-output --raw-output0 --seq --slurp --sort-keys --stream --stream-errors --tab --unbuffered R",
    operands: "pattern, reads",
    inspect: ({ operands }, findings) => {
      if (/\b(?:import|include)\b/.test(operands[0]?.text ?? "")) findings.opaque("its program loads other files")
    },
  },
}

/** Not here: --check reads the files that a list names. */
function checksum(): Program {
  return { options: "btz l= --binary --text --tag --zero --length=", operands: "reads" }
}

/** A word with an at sign in front names a file with more options, also such as load plugins. */
export function refuseOptionFiles({ operands, given }: ReadArguments, findings: Findings): void {
  const file = [...operands, ...given.map(({ value }) => value)].find(({ text }) => text.startsWith("@"))
  if (file) findings.steered(`it reads options from "${file.text.slice(1)}"`)
}

/** More options may be behind the number of one. */
function lessWords(read: ReadArguments, findings: Findings): void {
  refusePlus(read, findings)
  const odd = read.given.find(({ value }) => !/^[\d.,-]+$/.test(value.text))
  if (odd) findings.steered(`it is not known what "${odd.value.text}" does behind "${odd.option}"`)
}

/** A word with a plus in front is a command for the pager. */
function refusePlus({ operands }: ReadArguments, findings: Findings): void {
  const command = operands.find(({ text }) => text.startsWith("+"))
  if (command) findings.steered(`the pager runs "${command.text}"`)
}

/** `xxd`: its file and, where one is named, the file that it writes. Letters behind one dash are no options of their own. */
function xxd(words: readonly Argument[], findings: Findings): void {
  let next = 0
  for (let word = words[next]; word && mayBeOption(word); word = words[next]) {
    const takes = withValue.test(word.text) && words[next + 1]?.kind === "literal"
    if (word.kind !== "literal" || !(takes || alone.has(word.text) || withNumber.test(word.text)))
      findings.opaque(`it is not known what the option ${quoted(word.text)} does`)
    next += takes ? 2 : 1
  }
  operandRules["read, write"]({ operands: words.slice(next), options: new Map(), given: [] }, findings)
}

const alone = new Set("-a -b -C -d -e -E -i -p -ps -plain -r -u".split(" "))
const withValue = /^-[cglos]$/
const withNumber = /^-[cglos][+-]?(?:0x[\da-f]+|\d+)$/i
