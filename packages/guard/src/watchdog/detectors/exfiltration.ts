import type { CommandPartAnalysis } from "../../command/command-analysis.js"
import { joinPath } from "../../path/join-path.js"
import { interprets, programsOf, talks } from "../command-words.js"
import type { Detector, DetectorVerdict, WatchdogRequest } from "../detector.js"
import { oddAddress } from "../odd-address.js"

/** Asks when what is on the machine would leave it, or when what comes from elsewhere would run at once. */
export const exfiltration: Detector = {
  id: "exfiltration",
  about:
    "Files, environment and command output on their way to other machines, addresses that carry data, downloads that run at once",
  inspect,
}

const allow: DetectorVerdict = { verdict: "allow" }

function inspect({ command, arguments: values, manifest }: WatchdogRequest): DetectorVerdict {
  const reason = commandReason(command?.parts ?? []) ?? addressReason(manifest.kind === "fetch" ? values : {})
  return reason ? { verdict: "ask", reason } : allow
}

function commandReason(parts: readonly CommandPartAnalysis[]): string | undefined {
  for (const part of parts) {
    if (!talks(part)) continue
    const reason = sends(part) ?? sendsPipe(part, parts) ?? runsDownload(part, parts)
    if (reason) return reason
  }
  return undefined
}

function sends(part: CommandPartAnalysis): string | undefined {
  const [file] = part.reads
  // The repository is what git is there to send.
  if (file !== undefined && part.argv[0] !== "git") return `"${part.text}" sends "${file}" to another machine`
  const word = part.unresolved.find((each) => /\$\(|`|<\(/.test(each) || secretVariable.test(each))
  if (word) return `"${part.text}" sends what ${word} gives to another machine`
  const odd = part.argv.map(oddAddress).find((each) => each !== undefined)
  return odd ? `"${part.text}" uses an address that ${odd}` : undefined
}

const secretVariable = /\$\{?\w*(?:KEY|TOKEN|SECRET|PASS|CREDENTIAL)/i

/** Something that reads stands in front of it in the same pipeline. */
function sendsPipe(part: CommandPartAnalysis, parts: readonly CommandPartAnalysis[]): string | undefined {
  if (part.pipeline === undefined) return undefined
  const before = parts.slice(0, parts.indexOf(part)).filter((each) => each.pipeline === part.pipeline)
  const source = before.find(
    (each) =>
      each.reads.length > 0 ||
      each.opaque ||
      each.unresolved.some((word) => secretVariable.test(word)) ||
      programsOf(each).some((name) => telling.has(name)),
  )
  return source ? `"${part.text}" sends the output of "${source.text}" to another machine` : undefined
}

const telling = new Set([
  "env",
  "printenv",
  "set",
  "export",
  "declare",
  "history",
  "ps",
  "id",
  "uname",
  "hostname",
  "whoami",
])

/** A download that goes straight into a shell or an interpreter, or into a file that the same line runs. */
function runsDownload(part: CommandPartAnalysis, parts: readonly CommandPartAnalysis[]): string | undefined {
  const at = parts.indexOf(part)
  const made = new Set(part.writes.map((path) => joinPath(part.directory, path)))
  const runner = parts.find(
    (each, index) =>
      (index > at && runsOneOf(made, each)) ||
      (interprets(each) &&
        ((each.pipeline !== undefined && each.pipeline === part.pipeline && index > at) ||
          each.unresolved.some((word) => word.includes(part.text)))),
  )
  return runner ? `"${runner.text}" runs what "${part.text}" downloads` : undefined
}

function runsOneOf(files: ReadonlySet<string>, part: CommandPartAnalysis): boolean {
  const [program = "", ...words] = part.argv
  const run = interprets(part) ? words : program.includes("/") ? [program] : []
  return files.size > 0 && run.some((word) => files.has(joinPath(part.directory, word)))
}

function addressReason(values: Readonly<Record<string, unknown>>): string | undefined {
  for (const [key, value] of Object.entries(values)) {
    const odd = typeof value === "string" ? oddAddress(value) : undefined
    if (odd) return `the argument "${key}" is an address that ${odd}`
  }
  return undefined
}
