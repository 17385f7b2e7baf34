import { splitKey } from "../../shared/git/settings.js"
import { shownName } from "../../shared/git/shown-name.js"
import { withoutCredentials } from "../../shared/git/without-credentials.js"
import { type GitCommand, listed } from "./command.js"

/** The other repositories that this one knows, their addresses without credentials. */
export const remote: GitCommand = async ({ git }) => {
  const found = new Map<string, { fetch?: string; push?: string }>()
  for (const { key, value } of git.settings) {
    const parts = splitKey(key)
    if (parts?.section !== "remote" || (parts.name !== "url" && parts.name !== "pushurl")) continue
    const addresses = found.get(parts.subject) ?? {}
    // Of several addresses git fetches from the first.
    addresses[parts.name === "url" ? "fetch" : "push"] ??= withoutCredentials(value)
    found.set(parts.subject, addresses)
  }
  const remotes = [...found].map(([name, { fetch = "", push = fetch }]) => ({ name, fetch, push }))
  const { list, mark } = listed(remotes)
  const lines = remotes.map(({ name, fetch, push }) => {
    return `${shownName(name)} ${shownName(fetch)}${push === fetch ? "" : ` (push: ${shownName(push)})`}`
  })
  return { text: lines.join("\n") || "No remotes", remotes: list, ...mark }
}
