import { type Argument, type Findings, literal } from "../findings.js"
import type { ProgramFamily, ReadProgram } from "../program.js"
import { hasOption, readArguments, valuesOf } from "../read-arguments.js"

/** Programs that pack and unpack. What comes out of an archive cannot be listed, so unpacking is opaque. */
export const archivePrograms: ProgramFamily = {
  tar,
  gzip: compress(".gz"),
  bzip2: compress(".bz2"),
  xz: compress(".xz"),
  zstd: compress(".zst"),
  gunzip: expand(/\.gz$/),
  bunzip2: expand(/\.bz2$/),
  unxz: expand(/\.xz$/),
  unzip: (words, findings) => {
    const read = readArguments(words, { options: "lptvZqqocnju d> x=", careful: true }, findings)
    if (read.operands[0]) findings.read(read.operands[0])
    if (hasOption(read, "-l", "-p", "-t", "-v", "-Z")) return
    if (!hasOption(read, "-d")) findings.write(literal("."))
    findings.opaque("what it unpacks cannot be known before it runs")
  },
  zip: (words, findings) => {
    const { operands } = readArguments(words, { options: "0123456789rqvjuD9 x= i=", careful: true }, findings)
    const [archive, ...files] = operands
    if (archive && archive.text !== "-") findings.write(archive)
    // Without a suffix it adds its own.
    if (archive?.kind === "literal" && !/\.\w+$|^-$/.test(archive.text)) findings.write(literal(`${archive.text}.zip`))
    for (const file of files) findings.read(file)
  },
  patch: (words, findings) => {
    const { operands, options } = readArguments(
      words,
      {
        options: "NRsfubEl pdFo= i< --dry-run --strip= --input< --reverse --forward --quiet --silent --batch",
        careful: true,
      },
      findings,
    )
    for (const file of operands) findings.write(file)
    if (!options.has("--dry-run")) findings.opaque("the patch decides which files it changes")
  },
}

/** `tar`: listing reads, packing reads and writes the archive, unpacking writes what cannot be listed. */
function tar(words: readonly Argument[], findings: Findings): void {
  const read = readArguments(
    dashed(words),
    {
      // Not here: --checkpoint-action, --to-command and -I run programs.
      options:
        "ctxvzjJahpkmOPS fCXT= --create --list --extract --get --verbose --gzip --bzip2 --xz --zstd --auto-compress --file= --directory= --exclude= --strip-components= --wildcards --no-recursion --keep-old-files --to-stdout --numeric-owner --same-permissions --sort= --mtime= --owner= --group= --absolute-names",
      careful: true,
    },
    findings,
  )
  const { operands, options } = read
  const archive = options.get("-f") ?? options.get("--file")
  const folder = options.get("-C") ?? options.get("--directory")
  if (archive && archive !== true && archive.text.includes(":"))
    findings.opaque("the archive may be on another machine")
  if (valuesOf(read, "-C", "--directory").length > 1) findings.opaque("it changes folders in between")
  if (hasOption(read, "-T", "-X")) findings.opaque("it reads names from a file")
  if (hasOption(read, "-t", "--list")) {
    noteArchive(archive, "read", findings)
    return
  }
  if (hasOption(read, "-c", "--create")) {
    noteArchive(archive, "write", findings)
    for (const operand of operands) findings.read(below(folder, operand))
    return
  }
  noteArchive(archive, "read", findings)
  if (!hasOption(read, "-O", "--to-stdout")) findings.write(folder && folder !== true ? folder : literal("."))
  findings.opaque("what it unpacks cannot be known before it runs")
}

/** The old way, letters without a dash: the values are behind them in the order of the letters. */
function dashed(words: readonly Argument[]): readonly Argument[] {
  const [first, ...rest] = words
  if (first?.kind !== "literal" || !/^[a-zA-Z]+$/.test(first.text)) return words
  const spread = [...first.text].flatMap((letter) => {
    const value = "fCXTbNVKgIHLF".includes(letter) ? rest.splice(0, 1) : []
    return [literal(`-${letter}`), ...value]
  })
  return [...spread, ...rest]
}

function noteArchive(archive: Argument | true | undefined, effect: "read" | "write", findings: Findings): void {
  if (archive === undefined || archive === true || archive.text === "-") return
  findings[effect](archive)
}

function below(folder: Argument | true | undefined, operand: Argument): Argument {
  if (folder === undefined || folder === true || operand.kind !== "literal" || operand.text.startsWith("/"))
    return operand
  return folder.kind === "literal" ? literal(`${folder.text}/${operand.text}`) : folder
}

function compress(suffix: string): ReadProgram {
  return (words, findings) => {
    const read = readArguments(
      words,
      {
        options: "0123456789cdfklnqrtvT --stdout --keep --decompress --list --test --force --best --fast --verbose",
        careful: true,
      },
      findings,
    )
    for (const file of read.operands) {
      findings.read(file)
      if (hasOption(read, "-c", "--stdout", "-l", "--list", "-t", "--test")) continue
      if (hasOption(read, "-d", "--decompress", "-r") || file.kind !== "literal")
        findings.opaque("which file it writes cannot be known before it runs")
      else findings.write(literal(`${file.text}${suffix}`))
      if (!hasOption(read, "-k", "--keep") && suffix !== ".zst") findings.delete(file)
    }
  }
}

function expand(suffix: RegExp): ReadProgram {
  return (words, findings) => {
    const read = readArguments(
      words,
      { options: "cfklqtv --stdout --keep --list --test --force", careful: true },
      findings,
    )
    for (const file of read.operands) {
      findings.read(file)
      if (hasOption(read, "-c", "--stdout", "-l", "--list", "-t", "--test")) continue
      if (file.kind !== "literal" || !suffix.test(file.text))
        findings.opaque("which file it writes cannot be known before it runs")
      else findings.write(literal(file.text.replace(suffix, "")))
      if (!hasOption(read, "-k", "--keep")) findings.delete(file)
    }
  }
}
