import { beforeWildcard, everyCall, openEnding, type SpelledMatcher, type Translation, unsayable } from "./matcher.js"

/** A pattern on an address as patterns on its host: what the path says is lost, which only a deny or an ask may lose. */
export function translateUrl(matcher: SpelledMatcher, strict: boolean): Translation {
  switch (matcher.how) {
    case "any":
      return everyCall
    case "exact":
      return oneHost(matcher.text, { strict, whole: false })
    case "prefix":
      return beginning(matcher.text, strict)
    case "glob": {
      const open = openEnding(matcher.text)
      if (open && (matcher.crosses || open.stars > 1)) return beginning(open.prefix, strict)
      return strict ? { ...beginning(beforeWildcard(matcher.text), strict), exact: false } : unsayable(strict)
    }
    case "unknown":
      return unsayable(strict)
  }
}

function beginning(text: string, strict: boolean): Translation {
  if (text === "") return everyCall
  // Without the slash behind it, a host is only the beginning of a longer name.
  if (/^https?:\/\/[^/]*$/.test(text)) return strict ? unsayable(strict) : oneHost(`${text}/`, { strict, whole: true })
  return oneHost(text, { strict, whole: /^https?:\/\/[^/]+\/$/.test(text) })
}

/** `whole`: the pattern means everything on that host. */
function oneHost(text: string, { strict, whole }: { strict: boolean; whole: boolean }): Translation {
  const found = /^(https?):\/\/([a-z0-9.-]+)(?::(\d+))?(?:[/?#]|$)/i.exec(text)
  if (!found) return unsayable(strict)
  const [, scheme, host, port] = found as unknown as [string, string, string, string | undefined]
  if (strict) return { patterns: [port === undefined ? host : `${host}:${port}`], exact: whole }
  if (!whole) return unsayable(strict)
  return { patterns: [`${host}:${port ?? (scheme.toLowerCase() === "https" ? 443 : 80)}`], exact: true }
}
