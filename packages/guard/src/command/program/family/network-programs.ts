import { type Argument, literal, quoted } from "../../argument.js"
import { curl } from "../curl.js"
import type { Findings } from "../findings.js"
import { hostOf, remoteHostOf } from "../host-of.js"
import type { ProgramFamily } from "../program.js"
import { readArguments } from "../read-arguments.js"

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
    for (const address of addresses) {
      nameHost(address, findings)
      if (!options.has("-O") && !options.has("--output-document") && !options.has("--spider"))
        keepName(address, options.get("-P"), findings)
    }
  },
  ssh: login,
  scp: transfer,
  sftp: transfer,
  rsync: transfer,
  nc: endpoint,
  ncat: endpoint,
  netcat: endpoint,
  telnet: endpoint,
  socat: endpoint,
  ping: endpoint,
  dig: endpoint,
  nslookup: endpoint,
  host: endpoint,
  traceroute: endpoint,
  whois: endpoint,
}

function nameHost(address: Argument, findings: Findings): void {
  const host = address.kind === "literal" ? hostOf(address.text) : undefined
  if (host) findings.host(host)
  else findings.opaque(`the host of ${quoted(address.text)} cannot be told for sure`)
}

function keepName(address: Argument, folder: Argument | true | undefined, findings: Findings): void {
  const name = address.text.replace(/^[a-z]+:\/\/[^/?#]*/i, "").replace(/^.*\//, "") || "index.html"
  findings.write(literal(folder && folder !== true ? `${folder.text}/${name}` : name))
}

/** The first operand is the machine; what happens there is not known. */
function login(words: readonly Argument[], findings: Findings): void {
  findings.opaque("it runs on another machine")
  const [place] = words.filter((word) => word.kind === "literal" && !word.text.startsWith("-"))
  const named = /^(?:ssh:\/\/)?(?:[^@/\s]+@)?([A-Za-z0-9._-]+)/.exec(place?.text ?? "")?.[1]
  if (named) findings.host({ host: named.toLowerCase(), port: 22 })
}

/** Places on this machine are read, the last one is written; the others name their machine. */
function transfer(words: readonly Argument[], findings: Findings): void {
  findings.opaque("what it copies cannot be told before it runs")
  const places = words.filter((word) => !word.text.startsWith("-"))
  for (const [index, place] of places.entries()) {
    const host = place.kind === "literal" ? remoteHostOf(place.text) : undefined
    if (host) findings.host(host)
    else if (index > 0 && index === places.length - 1) findings.write(place)
    else findings.read(place)
  }
}

function endpoint(words: readonly Argument[], findings: Findings): void {
  findings.opaque("what it sends cannot be told before it runs")
  const plain = words.filter((word) => word.kind === "literal" && !/^[-+@]/.test(word.text))
  const named = plain.find(({ text }) => /^[A-Za-z0-9_.-]*[A-Za-z.][A-Za-z0-9_.-]*$/.test(text))
  if (!named) return
  const port = plain.map(({ text }) => text).find((text) => /^\d{1,5}$/.test(text))
  findings.host({ host: named.text.toLowerCase(), ...(port ? { port: Number(port) } : {}) })
}
