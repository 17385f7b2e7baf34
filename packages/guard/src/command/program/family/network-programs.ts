import { curl } from "../curl.js"
import { type Argument, type Findings, literal, quoted } from "../findings.js"
import { hostOfWord, remoteHostOf } from "../host-of.js"
import type { ProgramFamily, ReadProgram } from "../program.js"
import { readArguments, valuesOf } from "../read-arguments.js"

/** Programs that talk to other machines. */
export const networkPrograms: ProgramFamily = {
  curl,
  wget: (words, findings) => {
    findings.readOnly = false
    const { operands, options } = readArguments(
      words,
      {
        options:
          "qvScnNbd TtUw= O> P= o> a> --quiet --no-verbose --output-document> --timeout= --tries= --user-agent= --header= --no-check-certificate --spider --server-response --post-data= --post-file< --body-file< --max-redirect= --progress= --show-progress --continue",
        careful: true,
      },
      findings,
    )
    const addresses = findings.why ? operands.filter(({ text }) => text.includes("://")) : operands
    const posts = ["--post-data", "--post-file", "--body-file"].some((option) => options.has(option))
    const how = findings.why ? {} : { method: posts ? "POST" : "GET" }
    for (const address of addresses) {
      nameHost(address, how, findings)
      if (!options.has("-O") && !options.has("--output-document") && !options.has("--spider"))
        keepName(address, options.get("-P"), findings)
    }
  },
  ssh: login,
  scp: transfer(/^-(?:[a-zA-Z0-9]*[SoFDJ])/),
  sftp: transfer(/^-(?:[a-zA-Z0-9]*[SoFDJbsP])/),
  rsync: transfer(/^(?:-[a-zA-Z0-9]*e|--rsh|--rsync-path)/),
  nc: endpoint(/^(?:-[a-zA-Z0-9]*[ec]|--(?:sh-|lua-)?exec)/),
  ncat: endpoint(/^(?:-[a-zA-Z0-9]*[ec]|--(?:sh-|lua-)?exec)/),
  netcat: endpoint(/^(?:-[a-zA-Z0-9]*[ec]|--(?:sh-|lua-)?exec)/),
  telnet: endpoint(),
  socat: endpoint(/exec|system|shell/i),
  ping: endpoint(),
  dig: endpoint(),
  nslookup: endpoint(),
  host: endpoint(),
  traceroute: endpoint(),
  whois: endpoint(),
}

function nameHost(address: Argument, how: { readonly method?: string }, findings: Findings): void {
  const host = hostOfWord(address)
  if (host) findings.host({ ...host, ...how })
  if (!host || address.kind !== "literal")
    findings.opaque(`the host of ${quoted(address.text)} cannot be known for sure`)
}

function keepName(address: Argument, folder: Argument | true | undefined, findings: Findings): void {
  const name = address.text.replace(/^[a-z]+:\/\/[^/?#]*/i, "").replace(/^.*\//, "") || "index.html"
  findings.write(literal(folder && folder !== true ? `${folder.text}/${name}` : name))
}

/** The first operand is the machine; what happens there is not known. */
function login(words: readonly Argument[], findings: Findings): void {
  findings.runsCode("it runs on another machine")
  const read = readArguments(
    words,
    // Not here: -F reads other options, -I and -S load or name programs, -J goes through another machine.
    { options: "46AaCfGgKkMNnqsTtVvXxYy bBcDeLlmOopQRWw= i<", ordered: true, careful: true },
    findings,
  )
  const odd = valuesOf(read, "-o").find(({ text }) => !quietSettings.test(text))
  if (odd) findings.steered(`the setting ${quoted(odd.text)} can make it run other programs`)
  const named = /^(?:ssh:\/\/)?(?:[^@/\s]+@)?([A-Za-z0-9._-]+)/.exec(read.operands[0]?.text ?? "")?.[1]
  if (named) findings.host({ host: named.toLowerCase(), port: 22 })
}

const quietSettings =
  /^(?:BatchMode|ConnectTimeout|ConnectionAttempts|StrictHostKeyChecking|LogLevel|ServerAlive\w+|IdentitiesOnly|Compression|Port|User)[= ]/i

/** Places on this machine are read, the last one is written; the others name their machine. */
function transfer(running: RegExp): ReadProgram {
  return (words, findings) => {
    findings.opaque("what it copies cannot be known before it runs")
    refuse(words, running, findings)
    const places = words.filter((word) => !word.text.startsWith("-"))
    for (const [index, place] of places.entries()) {
      const host = place.kind === "literal" ? remoteHostOf(place.text) : undefined
      const isLast = index > 0 && index === places.length - 1
      if (host) findings.host(host)
      else if (isLast) findings.write(place)
      else findings.read(place)
      if (host) continue
      if (isLast && words.some(({ text }) => /^--del/.test(text))) findings.delete(place)
      if (!isLast && words.some(({ text }) => /^--remove-s/.test(text))) findings.delete(place)
    }
  }
}

function endpoint(running?: RegExp): ReadProgram {
  return (words, findings) => {
    findings.opaque("what it sends cannot be known before it runs")
    if (running) refuse(words, running, findings)
    const plain = words.filter((word) => word.kind === "literal" && !/^[-+@]/.test(word.text))
    const named = plain.find(({ text }) => /^[A-Za-z0-9_.-]*[A-Za-z.][A-Za-z0-9_.-]*$/.test(text))
    if (!named) return
    const port = plain.map(({ text }) => text).find((text) => /^\d{1,5}$/.test(text))
    findings.host({ host: named.text.toLowerCase(), ...(port ? { port: Number(port) } : {}) })
  }
}

/** Words that name a program of this machine, such as the one that carries the connection. */
function refuse(words: readonly Argument[], running: RegExp, findings: Findings): void {
  const odd = words.find(({ text }) => running.test(text))
  if (odd) findings.steered(`${quoted(odd.text)} can make it run other programs`)
}
