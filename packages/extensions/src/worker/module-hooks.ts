import { isBuiltin } from "node:module"
import type { MessagePort } from "node:worker_threads"

// Set once in the thread of the hooks.
let port: MessagePort | undefined
let folder = ""

/** Gets what the worker handed over. */
export function initialize(data: { readonly port: MessagePort; readonly folder: string }): void {
  port = data.port
  folder = data.folder
}

interface Resolved {
  readonly url: string
  readonly format?: string | null
}

/** Lets an extension import its own modules and nothing of Node's or of others. */
export async function resolve(
  specifier: string,
  context: { readonly parentURL?: string },
  next: (specifier: string, context: unknown) => Promise<Resolved>,
): Promise<Resolved> {
  const isOwn = context.parentURL?.startsWith(folder) ?? false
  if (!isOwn) return next(specifier, context)
  if (isBuiltin(specifier)) throw refused(`import ${specifier}`)
  const found = await next(specifier, context)
  if (!found.url.startsWith(folder)) throw refused(`import ${specifier}`)
  return found
}

/** Modules only: CommonJS would have a `require` that no hook sees. */
export async function load(
  url: string,
  context: { readonly format?: string | null },
  next: (url: string, context: unknown) => Promise<unknown>,
): Promise<unknown> {
  if (url.startsWith(folder) && context.format !== "module" && context.format !== "json")
    throw refused(`load ${url.slice(folder.length)} as ${context.format ?? "something that is no module"}`)
  return next(url, context)
}

function refused(what: string): Error {
  port?.postMessage(what)
  return new Error(`An extension cannot ${what}: it has its own modules only, and asks the host for everything else`)
}
