import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { ToolError } from "@haft/contract"
import type { PrivateRegistry } from "@haft/host"
import type { Configuration } from "./load-configuration.js"
import type { Environment, Places } from "./places.js"

/** The private registries of the user's configuration. Their secrets are looked for when somebody asks. */
export function registriesOf(
  { configuration: { values }, places }: { readonly configuration: Configuration; readonly places: Places },
  env: Environment,
): readonly PrivateRegistry[] {
  return values.members("net.registries").map(([name, members]) => registryOf(name, members, places.home, env))
}

const known = ["address", "header", "scheme", "secret", "authority"]

function registryOf(
  name: string,
  members: Readonly<Record<string, unknown>>,
  home: string,
  env: Environment,
): PrivateRegistry {
  const unknown = Object.keys(members).find((member) => !known.includes(member))
  if (unknown !== undefined) throw unusable(name, `it has no "${unknown}"; it has ${known.join(", ")}`)
  const texts = new Map<string, string>()
  for (const [member, value] of Object.entries(members)) {
    if (typeof value !== "string" || value === "") throw unusable(name, `its ${member} must be a string`)
    texts.set(member, value)
  }
  const [address, header, scheme, secret, authority] = known.map((member) => texts.get(member))
  if (address === undefined || header === undefined || secret === undefined) {
    throw unusable(name, "it needs an address, a header and a secret")
  }
  const [, kind, place] = /^(env|file):([\w.-]+)$/.exec(secret) ?? []
  if (kind === undefined || place === undefined || place.startsWith(".")) {
    // The value is not repeated: it may be the secret itself.
    throw unusable(name, "its secret must be env:NAME or file:NAME; keep the secret itself out of the configuration")
  }
  return {
    name,
    address,
    header,
    scheme,
    secret: () => (kind === "env" ? fromVariable(name, place, env) : fromFile(name, join(home, "secrets", place))),
    authorities: authority === undefined ? undefined : [certificatesOf(name, authority)],
  }
}

function fromVariable(name: string, variable: string, env: Environment): string {
  const value = env[variable]
  if (value) return value
  throw unusable(name, `the variable ${variable} is not set`, `Set ${variable} and start Haft again`)
}

/** A file that others may read holds no secret. */
function fromFile(name: string, path: string): string {
  const facts = statSync(path, { throwIfNoEntry: false })
  const fix = `Write the secret there, run: chmod 600 ${path}, and start Haft again`
  if (!facts?.isFile()) throw unusable(name, `there is no file "${path}"`, fix)
  if ((facts.mode & 0o077) !== 0)
    throw unusable(name, `others may read "${path}"`, `Run: chmod 600 ${path}, and start Haft again`)
  const text = readFileSync(path, "utf8").trim()
  if (text !== "") return text
  throw unusable(name, `"${path}" is empty`, fix)
}

function certificatesOf(name: string, path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch {
    throw unusable(name, `its authority "${path}" cannot be read`)
  }
}

function unusable(name: string, reason: string, hint?: string): ToolError {
  return new ToolError("not_configured", `Cannot use the private registry "${name}": ${reason}`, {
    hint: hint ?? `Correct net.registries.${name} in your configuration, then run: haft doctor`,
  })
}
