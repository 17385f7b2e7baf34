import { findOwnProgram } from "../../sandbox/environment/find-own-program.js"
import { ask, type Machine, type FoundSetting } from "./machine.js"

/** The indexes of pip and, for the index it was made with, the host that serves its files. */
export async function pipAddresses(machine: Machine): Promise<readonly FoundSetting[]> {
  const python = findOwnProgram("python3", machine.searchPath, machine.roots)
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
    ...[...settings.matchAll(/^[\w:.-]*\.cert='(.*)'$/gm)].map(([, certificates]) => ({ certificates: certificates! })),
    ...configured.flatMap(([, name, value]) =>
      value!.split(/\s+/).map((address) => ({ address, variables: variables[name!] ?? [] })),
    ),
    ...(replaces ? [] : builtIn.split("\n").map((line) => (line.includes("://") ? line : `https://${line}`))),
  ]
}

const variables: Readonly<Record<string, readonly string[]>> = {
  "index-url": ["PIP_INDEX_URL", "UV_DEFAULT_INDEX"],
  "extra-index-url": ["PIP_EXTRA_INDEX_URL", "UV_INDEX"],
}

const defaultIndex =
  "from pip._internal.models.index import PyPI as i; print(i.simple_url); print(i.file_storage_domain)"
