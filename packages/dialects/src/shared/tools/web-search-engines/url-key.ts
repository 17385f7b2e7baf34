/** What two addresses of the same page have in common, however they were written; only for comparing. */
export function urlKey(address: string): string {
  const { host, pathname, searchParams } = new URL(address)
  const parameters = [...searchParams]
    .filter(([name]) => !isTracking(name))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
  const path = pathname.replace(/\/+$/, "").replace(/%[0-9a-f]{2}/gi, (octet) => octet.toUpperCase())
  return `${host.replace(/^www\./, "")}${path}?${parameters.join("&")}`
}

/** Parameters that say where a visitor came from and change nothing about the page. */
function isTracking(name: string): boolean {
  return /^(utm_\w+|gclid|fbclid|msclkid|dclid|yclid|mc_[ce]id|igshid|_hsenc|_hsmi)$/i.test(name)
}
