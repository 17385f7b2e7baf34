import { type Argument, type Findings, literal, quoted } from "./findings.js"
import { type ReadArguments, readArguments } from "./read-arguments.js"

// Not here: backups, whose names an option can choose.

/** `cp`: reads its sources, writes the target or names below it. */
export function copy(words: readonly Argument[], findings: Findings): void {
  const options =
    "adfHiLlnPpRrsTuvxZ t= --archive --dereference --no-dereference --force --interactive --link --no-clobber --no-target-directory --parents --preserve? --no-preserve= --recursive --reflink? --remove-destination --sparse= --strip-trailing-slashes --symbolic-link --target-directory= --update? --verbose --one-file-system --attributes-only"
  const { sources, target, read } = placesOf(words, options, findings)
  for (const source of sources) findings.read(source)
  writeTargets(sources, target, findings)
  const whole = ["-a", "-r", "-R", "--archive", "--recursive"].some((option) => read.options.has(option))
  if (whole && sources.some((source) => spreads(source, read))) {
    findings.opaque("which names below the target it writes cannot be known before it runs")
  }
  if (read.options.has("--parents")) findings.opaque("it makes folders that are not named here")
}

/** `mv`: as a copy, and the sources are gone. */
export function move(words: readonly Argument[], findings: Findings): void {
  const options =
    "finTuvZ t= --force --interactive --no-clobber --no-target-directory --strip-trailing-slashes --target-directory= --update? --verbose --no-copy"
  const { sources, target } = placesOf(words, options, findings)
  for (const source of sources) {
    // Under its new name the content could be read by a command that may not read the old one.
    findings.read(source)
    findings.delete(source)
  }
  writeTargets(sources, target, findings)
}

/** `ln`: the link opens what it points to, so that counts as read. */
export function link(words: readonly Argument[], findings: Findings): void {
  const options =
    "dfFiLnPrsTv t= --force --interactive --logical --no-dereference --physical --relative --symbolic --no-target-directory --target-directory= --verbose"
  const { sources, target, read } = placesOf(words, options, findings)
  const symbolic = read.options.has("-s") || read.options.has("--symbolic")
  for (const source of sources) findings.read(symbolic ? fromLink(source, target) : source)
  writeTargets(sources, target, findings)
}

/** `install`: a copy with rights, or with `-d` folders. */
export function install(words: readonly Argument[], findings: Findings): void {
  const options =
    "cCDdpTv gmot= --compare --directory --group= --mode= --owner= --preserve-timestamps --target-directory= --no-target-directory --verbose"
  const { sources, target, read } = placesOf(words, options, findings)
  if (read.options.has("-d") || read.options.has("--directory")) {
    for (const folder of read.operands) findings.write(folder)
    return
  }
  for (const source of sources) findings.read(source)
  writeTargets(sources, target, findings)
}

interface Places {
  readonly sources: readonly Argument[]
  readonly target: Argument
  readonly read: ReadArguments
}

function placesOf(words: readonly Argument[], options: string, findings: Findings): Places {
  findings.readOnly = false
  const read = readArguments(words, { options, careful: true }, findings)
  const folder = read.options.get("-t") ?? read.options.get("--target-directory")
  if (folder && folder !== true) return { sources: read.operands, target: folder, read }
  if (read.operands.length === 1) return { sources: read.operands, target: literal("."), read }
  return { sources: read.operands.slice(0, -1), target: read.operands.at(-1) ?? literal("."), read }
}

/** Whether the target is a folder is not known here, so both the target and the names in it count. */
function writeTargets(sources: readonly Argument[], target: Argument, findings: Findings): void {
  findings.write(target)
  if (target.kind !== "literal") return
  for (const source of sources) {
    if (source.kind !== "literal")
      findings.opaque(`the names that ${quoted(source.text)} gives cannot be known before it runs`)
    else {
      const name = source.text.replace(/\/+$/, "").replace(/^.*\//, "")
      if (name !== "" && name !== "." && name !== "..")
        findings.write(literal(`${target.text.replace(/\/+$/, "")}/${name}`))
    }
  }
}

/** Copied without its own name, a folder puts any names into the target. */
function spreads(source: Argument, { options }: ReadArguments): boolean {
  if (options.has("-T") || options.has("--no-target-directory")) return true
  return source.kind !== "literal" || /(?:^|\/)\.{0,2}$/.test(source.text)
}

/** A relative target of a symbolic link starts at the folder that the link is in. */
function fromLink(source: Argument, target: Argument): Argument {
  if (source.kind !== "literal" || target.kind !== "literal" || source.text.startsWith("/")) return source
  const slash = target.text.lastIndexOf("/")
  return slash < 0 ? source : literal(`${target.text.slice(0, slash + 1)}${source.text}`)
}
