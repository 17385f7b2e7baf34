import { findProgram } from "../../sandbox/environment/find-program.js"
import { ask, type Machine } from "./machine.js"

/** The indexes of pip and, for the index it was made with, the host that serves its files. */
export async function pipAddresses(machine: Machine): Promise<readonly string[]> {
  const python = findProgram("python3", machine.searchPath, machine.roots)
  if (python === undefined) return []
  const [settings, builtIn] = await Promise.all([
    ask(python, ["-m", "pip", "--isolated", "config", "list"], machine).then(
      async (text) => text + (await ask(python, ["-m", "pip", "config", "list"], machine)),
    ),
    ask(python, ["-I", "-c", defaultIndex], machine),
  ])
  const configured = [...settings.matchAll(/^[\w:.-]*\.(index-url|extra-index-url|find-links)='(.*)'$/gm)]
  const replaces = configured.some(([, name]) => name === "index-url")
  return [
    ...configured.flatMap(([, , value]) => value!.split(/\s+/)),
    ...(replaces ? [] : builtIn.split("\n").map((line) => (line.includes("://") ? line : `https://${line}`))),
  ]
}

const defaultIndex =
  "from pip._internal.models.index import PyPI as i; print(i.simple_url); print(i.file_storage_domain)"
