/** The host that a domain of a filter names: bare, with a leading `*.`, or as an address; undefined when there is none. */
export function domainOf(name: string): string | undefined {
  const bare = name
    .trim()
    .replace(/^[a-z]+:\/\//i, "")
    .replace(/^\*\./, "")
  const address = `https://${bare}`
  const host = URL.canParse(address) ? new URL(address).hostname.replace(/^\.+|\.+$/g, "") : ""
  return host === "" ? undefined : host
}

/** Whether an address passes: below one of the allowed domains, where some are named, and below none of the blocked. */
export function domainFilter(
  allowed: readonly string[] | undefined,
  blocked: readonly string[] | undefined,
): (url: string) => boolean {
  const allowedHosts = allowed?.map(domainOf) ?? []
  const blockedHosts = blocked?.map(domainOf) ?? []
  return (url) => {
    const { hostname } = new URL(url)
    const isBelow = (domain: string | undefined) => hostname === domain || hostname.endsWith(`.${domain}`)
    return (allowedHosts.length === 0 || allowedHosts.some(isBelow)) && !blockedHosts.some(isBelow)
  }
}
