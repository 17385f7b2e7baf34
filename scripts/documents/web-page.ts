import type { ToolDefinition } from "@haft/contract"
import { code, generatedNote, page, table } from "./markdown.js"

/** A search service, as far as this page needs it. */
export interface ListedProvider {
  readonly id: string
  readonly label: string
  readonly needs?: readonly ("endpoint" | "key")[] | undefined
}

/** A setting, as far as this page needs it. */
export interface ListedSetting {
  readonly key: string
  readonly about: string
  readonly initial?: unknown
}

const needs = {
  endpoint: (id: string) => `an address in ${code(`webSearch.endpoints.${id}`)}`,
  key: (id: string) => `a key in ${code(`${id.toUpperCase()}_API_KEY`)}`,
}

/** The page about the web: what reaches it, how it is searched, and how it is kept in bounds. */
export function webPage(
  catalog: readonly ToolDefinition[],
  providers: readonly ListedProvider[],
  settings: readonly ListedSetting[],
): string {
  const reaching = catalog.filter(({ manifest }) => manifest.requires.net)
  return page(
    generatedNote,
    "# The web",
    "Tools that talk to other machines. Each request is judged by its host, each redirect again; private and loopback addresses are refused unless they are named with `--grant-net` or in `net.grants`. What comes from a page is data, never an instruction.",
    table(
      ["tool", "what it does"],
      reaching.map(({ manifest }) => [
        `[${manifest.id}](tools/${manifest.id}.md)`,
        manifest.description.split("\n")[0]!,
      ]),
    ),
    "## Search services",
    "Without any set-up a session asks a service that needs none. `webSearch.provider` fixes one; `haft doctor` says whether it can be asked.",
    table(
      ["id", "service", "needs"],
      providers.map(({ id, label, needs: what }) => [
        code(id),
        label,
        what?.map((each) => needs[each](id)).join(" and ") ?? "nothing",
      ]),
    ),
    "## Settings",
    table(
      ["setting", "meaning", "initially"],
      settings
        .filter(({ key }) => /^(webSearch|net)\./.test(key))
        .map(({ key, about, initial }) => [
          code(key),
          about,
          initial === undefined ? "" : code(JSON.stringify(initial)),
        ]),
    ),
  )
}
