import { type Argument, type Findings, literal, quoted } from "./findings.js"
import { fileOf, hostOf, hostOfWord } from "./host-of.js"
import { hasOption, type ReadArguments, readArguments, valuesOf } from "./read-arguments.js"

/** `curl`: the hosts of its addresses, files that it sends, files that it writes. */
export function curl(words: readonly Argument[], findings: Findings): void {
  findings.readOnly = false
  const read = readArguments(
    words,
    {
      // Not here: -K reads options from a file; --resolve, --connect-to and -x send the name elsewhere.
      options:
        "#0123456aBfGgiIjkLlMNpqRsSvZ AeHmPrtUuwXyYz= dF= b= OJ o> cD> ET< --silent --show-error --fail --fail-with-body --location --head --include --insecure --verbose --compressed --data= --data-raw= --data-binary= --data-urlencode= --json= --form= --form-string= --header= --request= --user= --user-agent= --referer= --max-time= --connect-timeout= --retry= --retry-delay= --retry-all-errors --output> --remote-name --remote-header-name --cookie= --cookie-jar> --dump-header> --upload-file< --cert< --key< --cacert< --get --globoff --http1.1 --http2 --ipv4 --ipv6 --write-out= --range= --limit-rate= --no-progress-meter --progress-bar --tlsv1.2 --tlsv1.3 --oauth2-bearer= --basic --no-buffer --create-dirs --max-redirs= --max-filesize= --proto= --trace> --trace-ascii> --stderr>",
      careful: true,
    },
    findings,
  )
  const named = hasOption(read, "-O", "--remote-name")
  // Behind an option that is not known, a word may be its value.
  const addresses = findings.why ? read.operands.filter(({ text }) => text.includes("://")) : read.operands
  const method = methodOf(read)
  // An option that is not known may choose another one.
  const how = findings.why || method === undefined ? {} : { method }
  for (const address of addresses) fetch(address, { named, ...how }, findings)
  for (const value of valuesOf(read, ...sending)) sendFile(value, findings)
  const patterns = [...valuesOf(read, "-T", "--upload-file", "-w", "--write-out")]
  // Braces name several files to send, and %output{...} names one to write.
  if (patterns.some(({ text }) => /[{[]/.test(text) && !/^(?:%\{\w+\}|[^{[])*$/.test(text))) {
    findings.opaque("it may send or write more files than are named")
  }
  for (const cookie of valuesOf(read, "-b", "--cookie")) if (!cookie.text.includes("=")) findings.read(cookie)
  if (hasOption(read, "-J", "--remote-header-name")) findings.opaque("the server chooses the name of the file")
}

const sending = [
  "-d",
  "-F",
  "-H",
  "-w",
  "--data",
  "--data-binary",
  "--data-urlencode",
  "--json",
  "--form",
  "--header",
  "--write-out",
]

/** The method of its requests; undefined where it is not known, or where a request that reads by its name also sends. */
function methodOf(read: ReadArguments): string | undefined {
  const headers = valuesOf(read, "-H", "--header")
  if (headers.some(({ kind, text }) => kind !== "literal" || /method|^@/i.test(text))) return undefined
  const sends = hasOption(read, ...bodies) && !hasOption(read, "-G", "--get")
  const uploads = hasOption(read, "-T", "--upload-file")
  const [given, ...others] = valuesOf(read, "-X", "--request")
  if (!given) return hasOption(read, "-I", "--head") ? "HEAD" : uploads ? "PUT" : sends ? "POST" : "GET"
  // Of several the last one counts, and which that is depends on how each of them is spelled.
  if (others.length > 0 || given.kind !== "literal" || !/^[A-Za-z]+$/.test(given.text)) return undefined
  const method = given.text.toUpperCase()
  return (sends || uploads) && /^(?:GET|HEAD)$/.test(method) ? undefined : method
}

const bodies = "-d -F --data --data-raw --data-binary --data-urlencode --json --form --form-string".split(" ")

/** How an address is fetched: with which method, and whether its last part becomes the name of a file. */
interface Fetching {
  readonly named: boolean
  readonly method?: string
}

function fetch(address: Argument, { named, ...how }: Fetching, findings: Findings): void {
  if (address.kind !== "literal") {
    findings.opaque(`the address ${quoted(address.text)} cannot be known before it runs`)
    const likely = hostOfWord(address)
    if (likely) findings.host(likely)
    return
  }
  const file = fileOf(address.text)
  if (file) {
    findings.read(literal(file))
    return
  }
  const host = /^file:/i.test(address.text) ? undefined : hostOf(address.text)
  if (!host) {
    findings.opaque(`the host of ${quoted(address.text)} cannot be known for sure`)
    return
  }
  // Other schemes have no methods, and some of them carry whatever the address says.
  const isHttp = /^https?:/i.test(address.text) || !address.text.includes("://")
  findings.host(isHttp ? { ...host, ...how } : host)
  if (!named) return
  const name = address.text.replace(/[?#].*$/, "").replace(/^.*\//, "")
  if (name === "") findings.opaque("the name of the file cannot be known")
  else findings.write(literal(name))
}

/** `-d @file`, `-F name=@file` and their kind send the content of a file. */
function sendFile(value: Argument, findings: Findings): void {
  if (value.kind !== "literal") {
    findings.opaque(`what ${quoted(value.text)} sends cannot be known before it runs`)
    return
  }
  // A piece of a form may take its headers from a file.
  if (/;\s*headers\s*=/i.test(value.text)) findings.opaque(`what ${quoted(value.text)} sends is not known`)
  const found = /^(?:[^=@<]*=)?[@<]([\s\S]*)$/.exec(value.text) ?? /^[^=@]*@([\s\S]*)$/.exec(value.text)
  if (!found) return
  for (const file of found[1]!.replace(/;.*$/, "").split(",")) findings.read(literal(file.replaceAll('"', "")))
}
