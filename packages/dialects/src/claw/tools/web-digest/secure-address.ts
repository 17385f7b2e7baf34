/** The same address over https; a server on this machine has no certificate and keeps its scheme. */
export function secureAddress(url: string): string {
  if (!URL.canParse(url)) return url
  const parsed = new URL(url)
  if (parsed.protocol !== "http:" || loopback.has(parsed.hostname)) return url
  parsed.protocol = "https:"
  return parsed.href
}

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"])
