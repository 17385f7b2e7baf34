import type { Argument } from "../findings.js"
import { hostOf, remoteHostOf } from "../host-of.js"
import type { ReadProgram } from "../program.js"

/** git commands that talk to a remote: its host when an address is given, else whatever the configuration says. */
export const gitNetwork: Readonly<Record<string, ReadProgram>> = {
  clone: fetching({ target: 1 }),
  fetch: fetching({ records: true }),
  pull: fetching({ records: true }),
  push: fetching({ records: true }),
  "ls-remote": fetching({}),
}

/** `target` is the place of a folder that it makes; `records` says that the repository keeps what was fetched or sent. */
function fetching({ target = 0, records = false }: { target?: number; records?: boolean }): ReadProgram {
  return (words, findings) => {
    const why = "what it fetches, sends and writes cannot be known before it runs"
    if (records) findings.repositoryChange(why)
    else findings.opaque(why)
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
