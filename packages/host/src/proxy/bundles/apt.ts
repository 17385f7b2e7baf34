import { join } from "node:path"
import { entriesOf, type Machine, textOf } from "./machine.js"

/** The package sources of apt, in both of its formats. */
export async function aptAddresses({ settings = "/etc" }: Machine): Promise<readonly string[]> {
  const folder = join(settings, "apt")
  const files = entriesOf(join(folder, "sources.list.d"))
  const lines = [join(folder, "sources.list"), ...files.filter((path) => path.endsWith(".list"))].flatMap((path) =>
    [...textOf(path).matchAll(/^\s*deb(?:-src)?\s+(?:\[[^\]]*\]\s+)?(\S+)/gm)].map(([, url]) => url!),
  )
  const blocks = files
    .filter((path) => path.endsWith(".sources"))
    .flatMap((path) => textOf(path).split(/\n\s*\n/))
    .filter((block) => !/^Enabled:\s*no/im.test(block))
    .flatMap((block) => [...block.matchAll(/^URIs:((?:[^\n]|\n[ \t])*)/gim)].flatMap(([, urls]) => urls!.split(/\s+/)))
  return [...lines, ...blocks]
}
