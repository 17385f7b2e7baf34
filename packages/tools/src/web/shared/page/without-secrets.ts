/** An address without its secrets. */
export interface CleanAddress {
  readonly url: string
  /** Names of the parameters that were taken out. */
  readonly removed: readonly string[]
}

/** Takes out the parameters whose names say that their values are secrets: what a server is told, others can read. */
export function withoutSecrets(url: string): CleanAddress {
  const parsed = new URL(url)
  const removed = [...new Set(parsed.searchParams.keys())].filter(isSecretName)
  // Nothing is written anew where nothing is taken out: servers may care about the spelling of a query.
  if (removed.length === 0) return { url, removed }
  for (const name of removed) parsed.searchParams.delete(name)
  return { url: parsed.href, removed }
}

function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replaceAll("-", "_")
  return secretNames.has(plain) || /^x_(?:amz|goog)_/.test(plain)
}

const secretNames = new Set([
  "access_token",
  "api_key",
  "apikey",
  "auth",
  "authorization",
  "cookie",
  "credential",
  "id_token",
  "key",
  "passwd",
  "password",
  "refresh_token",
  "secret",
  "session",
  "sessionid",
  "sig",
  "signature",
  "token",
])
