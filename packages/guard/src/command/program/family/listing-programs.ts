import { awk } from "../awk.js"
import { find } from "../find.js"
import { type Findings, literal } from "../findings.js"
import type { Program, ProgramFamily } from "../program.js"
import type { ReadArguments } from "../read-arguments.js"
import { sed } from "../sed.js"
import { refuseOptionFiles } from "./text-readers.js"

/** Programs that list, search and describe files. */
export const listingPrograms: ProgramFamily = {
  ls: {
    options:
      "aAbBcCdDfFgGhHiklLmnNopqQrRsStuUvxXZ1 ITw= --all --almost-all --author --classify? --color? --directory --full-time --group-directories-first --human-readable --hide= --ignore= --inode --indicator-style= --recursive --reverse --size --sort= --time= --time-style= --format= --no-group --numeric-uid-gid --quoting-style= --si --width= --zero --dereference --hyperlink? --block-size= --escape --file-type --literal --quote-name",
    operands: "reads or here",
  },
  dir: { options: "aAlhRrSt1", operands: "reads or here" },
  stat: { options: "fLt c= --dereference --file-system --format= --printf= --terse --cached=", operands: "reads" },
  file: {
    // Not here: -C writes, -z runs other programs.
    options:
      "bdEhikLNnprs0 FPe= m< --brief --mime --mime-type --mime-encoding --dereference --separator= --no-pad --raw --keep-going",
    operands: "reads",
  },
  du: {
    options:
      "0abcDhHklLmPsSx dtB= X< --all --apparent-size --bytes --total --human-readable --max-depth= --summarize --threshold= --exclude= --time? --one-file-system --si --separate-dirs --block-size= --null --inodes",
    operands: "reads or here",
  },
  tree: {
    options:
      "adfghiklnpqrstuvxACDFJNQSUXc LPIHT= o> --dirsfirst --filesfirst --gitignore --noreport --prune --du --si --charset= --filelimit= --timefmt= --sort=",
    operands: "reads or here",
    careful: true,
  },
  grep: grepLike(),
  egrep: grepLike(),
  fgrep: grepLike(),
  zgrep: grepLike(),
  rg: {
    // Not here: --pre and --hostname-bin run programs, -z runs decompressors.
    options:
      "aFHIiLlnNoPpqSsUuvwx.0 ABCegGjmMrTtdE= f< --after-context= --before-context= --context= --color= --colors= --column --count --count-matches --crlf --files --files-with-matches --files-without-match --fixed-strings --follow --glob= --iglob= --heading --no-heading --hidden --ignore-case --ignore-file< --json --line-number --no-line-number --line-regexp --max-columns= --max-columns-preview --max-count= --max-depth= --max-filesize= --mmap --multiline --multiline-dotall --no-config --no-ignore --no-ignore-vcs --no-ignore-parent --no-messages --null --only-matching --passthru --pcre2 --pretty --quiet --regexp= --replace= --smart-case --sort= --sortr= --stats --text --threads= --trim --type= --type-not= --type-list --vimgrep --with-filename --no-filename --word-regexp --invert-match --unrestricted --encoding= --engine= --one-file-system --no-unicode --case-sensitive --file< c",
    operands: "pattern, reads or here",
    careful: true,
  },
  find,
  sed,
  awk,
  gawk: awk,
  mawk: awk,
  nm: {
    options: "aABCDgnopPrsSu ft= --demangle? --defined-only --undefined-only --dynamic --extern-only",
    operands: "reads",
    inspect: refuseOptionFiles,
  },
  size: { options: "ABdotx --format=", operands: "reads", inspect: refuseOptionFiles },
  readelf: {
    options: "aehlSsdrnuVACIW xpR= --all --headers --symbols --wide --dynamic --notes",
    operands: "reads",
    inspect: refuseOptionFiles,
  },
  zipinfo: { options: "12hlmMstvTz", operands: "reads" },
}

function grepLike(): Program {
  return {
    options:
      "abcEFGhHiIlLnoPqrRsTUvwxyzZ ABCdDem= f< --after-context= --before-context= --context= --basic-regexp --extended-regexp --fixed-strings --perl-regexp --regexp= --file< --ignore-case --no-ignore-case --invert-match --word-regexp --line-regexp --count --color? --colour? --files-with-matches --files-without-match --max-count= --only-matching --quiet --silent --no-messages --byte-offset --with-filename --no-filename --label= --line-number --initial-tab --null --text --binary-files= --devices= --directories= --exclude= --exclude-from< --exclude-dir= --include= --recursive --dereference-recursive --line-buffered --null-data --binary",
    operands: "pattern, reads",
    numbers: true,
    inspect: recursiveHere,
  }
}

/** `grep -r` without a file looks through the working directory. */
function recursiveHere({ operands, options }: ReadArguments, findings: Findings): void {
  const recursive = ["-r", "-R", "--recursive", "--dereference-recursive"].some((option) => options.has(option))
  const given = ["-e", "-f", "--regexp", "--file"].some((option) => options.has(option))
  if (recursive && operands.length < (given ? 1 : 2)) findings.read(literal("."))
}
