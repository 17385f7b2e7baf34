import { isPlainObject } from "./setting-value.js"

const hidden = "[hidden]"

// Everything below these is hidden, whatever it is called: people put keys there.
const secretPlaces = /(?:^|\.)(?:env|headers|args)$/i
const secretNames = /(?:pass(?:word|wd)?|secret|token|api[-_]?key|private[-_]?key|credential|authorization|cookie)/i

/** A value of the configuration without what nobody but its owner should read. Names stay: they say that something is set. */
export function hideSecrets(value: unknown, key = ""): unknown {
  if (typeof value === "string") return secretNames.test(lastPart(key)) ? hidden : withoutCredentials(value)
  if (Array.isArray(value)) return value.map((item) => hideSecrets(item, key))
  if (!isPlainObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const place = key === "" ? name : `${key}.${name}`
      return [name, secretPlaces.test(place) ? emptied(member) : hideSecrets(member, place)]
    }),
  )
}

function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(() => hidden)
  if (!isPlainObject(value)) return hidden
  return Object.fromEntries(Object.keys(value).map((name) => [name, hidden]))
}

/** An address without user name, password and the values of its query. */
function withoutCredentials(text: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text
  if (!URL.canParse(text)) return hidden
  const url = new URL(text)
  const address = `${url.protocol}//${url.username !== "" || url.password !== "" ? `${hidden}@` : ""}${url.host}${url.pathname}`
  const names = [...new Set(url.searchParams.keys())]
  return names.length === 0 ? address : `${address}?${names.map((name) => `${name}=${hidden}`).join("&")}`
}

function lastPart(key: string): string {
  return key.slice(key.lastIndexOf(".") + 1)
}
