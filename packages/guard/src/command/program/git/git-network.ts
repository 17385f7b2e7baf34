import type { Argument } from "../../argument.js"
import { hostOf, remoteHostOf } from "../host-of.js"
import type { ReadProgram } from "../program.js"

/** git commands that talk to a remote: its host when an address is given, else whatever the configuration says. */
export const gitNetwork: Readonly<Record<string, ReadProgram>> = {
  clone: fetching(1),
  fetch: fetching(0),
  pull: fetching(0),
  push: fetching(0),
  "ls-remote": fetching(0),
}

function fetching(target: number): ReadProgram {
  return (words, findings) => {
    findings.opaque("what it fetches, sends and writes cannot be told before it runs")
    const places = words.filter((word) => !word.text.startsWith("-"))
    const addresses = places.map(addressOf).filter((host) => host !== undefined)
    if (addresses.length > 0) for (const host of addresses) findings.host(host)
    else findings.host({ host: "@git" })
    const into = target > 0 ? places[target] : undefined
    if (into) findings.write(into)
  }
}

function addressOf({ kind, text }: Argument): ReturnType<typeof hostOf> {
  if (kind !== "literal") return undefined
  return /^[a-z][a-z+]*:\/\//i.test(text) ? hostOf(text) : remoteHostOf(text)
}
