import { existsSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { bestEffort, type Locale, locales } from "@haft/contract"
import type { Invocation } from "../command/invocation.js"
import { type Io, managedFile } from "../command/io.js"
import { type Environment, findPlaces } from "../config/places.js"

/** The language of a run: that of the flag, then of the configuration, then of the locale. */
export async function languageOf(invocation: Invocation, io: Io): Promise<Locale> {
  const named = known(invocation.text("lang")) ?? known(io.env.HAFT_LANG)
  return named ?? (await configuredLanguage(invocation, io)) ?? localeLanguage(io.env)
}

/** The language for a command line that was not understood. */
export function languageBefore(argv: readonly string[], env: Environment): Locale {
  const at = argv.findIndex((word) => word === "--lang" || word.startsWith("--lang="))
  const flag = at < 0 ? undefined : argv[at]!.includes("=") ? argv[at]!.slice("--lang=".length) : argv[at + 1]
  return known(flag) ?? known(env.HAFT_LANG) ?? localeLanguage(env)
}

function known(name: string | undefined): Locale | undefined {
  return locales.find((language) => language === name)
}

/** What the files say. Most do not, and `haft tools` reads no configuration: then they are only looked at. */
async function configuredLanguage(invocation: Invocation, io: Io): Promise<Locale | undefined> {
  const places = findPlaces(io.env, io.cwd, io.managedFile ?? managedFile)
  const named = invocation.list("root")
  const roots = (named.length > 0 ? named : [io.cwd]).map((root) => resolve(io.cwd, root))
  const inRoots = roots.flatMap((root) => [join(root, "haft.jsonc"), join(root, "haft.local.jsonc")])
  const read = async () => {
    const mentions = (file: string) => existsSync(file) && readFileSync(file, "utf8").includes('"language"')
    if (![places.userFile, places.managedFile, ...inRoots].some(mentions)) return undefined
    const { loadConfiguration } = await import("../config/load-configuration.js")
    const { values } = await loadConfiguration({ env: {}, places, roots, flags: {}, defaultLimit: () => undefined })
    return known(values.get("language"))
  }
  return bestEffort("the command says what is wrong with a file", read())
}

/** Chinese for locales of simplified characters. Readers of traditional ones choose by themselves. */
function localeLanguage(env: Environment): Locale {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || ""
  return /^zh(?![_-](?:TW|HK|MO|Hant))(?:[_.@-]|$)/i.test(locale) ? "zh-CN" : "en"
}
