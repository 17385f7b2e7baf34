/** A text with the addresses in it shown without user names, passwords, tokens and queries. */
export function withoutCredentials(text: string): string {
  // Also inside other text: messages of git and addresses of helpers quote addresses.
  return text
    .replace(/([A-Za-z][A-Za-z0-9+.-]*):\/\/([^\s'"<>]*)/g, (_, scheme: string, rest: string) => {
      const shown = /^file$/i.test(scheme) ? rest : plainAddress(rest, /^(git\+)?ssh$/i.test(scheme))
      return `${scheme}://${shown}`
    })
    .replace(/^([^\s/@:]+):[^\s/@]*@(?=[^\s/]+:)/, "$1@")
}

/** The account of ssh is part of the address; that of the web is a secret or is beside one. */
function plainAddress(rest: string, keepUser: boolean): string {
  if (isPlain(rest)) return withoutQuery(rest)
  const authority = authorityOf(rest)
  const user = keepUser ? /^([\w.-]+)[:@]/.exec(authority)?.[1] : undefined
  const shown = afterSecret(rest, authority)
  return withoutQuery(user === undefined ? shown : `${user}@${shown}`)
}

function afterSecret(rest: string, authority: string): string {
  const host = rest.slice(authority.lastIndexOf("@") + 1)
  if (authority.includes("@") && isPlain(host)) return host
  // A password with a "/" in it is no address any more: everything before the last "@" counts as secret.
  const at = rest.lastIndexOf("@")
  return at < 0 ? "..." : rest.slice(at + 1)
}

function isPlain(rest: string): boolean {
  return /^([^:@]*|\[[0-9A-Fa-f:.]+\])(:\d*)?$/.test(authorityOf(rest))
}

function authorityOf(rest: string): string {
  const end = rest.search(/[/?#]/)
  return end < 0 ? rest : rest.slice(0, end)
}

function withoutQuery(rest: string): string {
  return rest.replace(/[?#].*$/s, "")
}
