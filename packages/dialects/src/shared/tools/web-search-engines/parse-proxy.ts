/** The host and the port of a proxy; undefined for what is no `http:` or `socks5:` address of one. */
export function parseProxy(address: string): { readonly host: string; readonly port: number } | undefined {
  const scheme = /^(http|socks5):\/\//i.exec(address)?.[1]?.toLowerCase()
  if (scheme === undefined) return undefined
  // Only addresses of known schemes have their host brought to one spelling.
  const written = address.replace(/^socks5/i, "http")
  if (!URL.canParse(written)) return undefined
  const { hostname, port, pathname, search, hash } = new URL(written)
  if (pathname !== "/" || search !== "" || hash !== "") return undefined
  return { host: hostname, port: Number(port) || (scheme === "http" ? 80 : usualSocksPort(address)) }
}

/** Port 80 is left out by the parser as the usual one of http, which it is not here. */
function usualSocksPort(address: string): number {
  return /:80\/?$/.test(address) ? 80 : 1080
}
