/** An address as messages may show it: without user name, password and fragment, and not endless. */
export function shownUrl(spelled: string | URL): string {
  const text = typeof spelled === "string" ? withoutSecrets(spelled) : withoutSecrets(spelled.href)
  const printable = text.replace(/[^\x20-\x7e\u00a1-\uffff]/g, "?")
  return printable.length > 300 ? `${printable.slice(0, 300)}...` : printable
}

function withoutSecrets(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  // Where nobody knows what the parts are, everything before the last @ may be a password.
  if (!url?.host) return text.replace(/^.*@/s, "")
  url.username = ""
  url.password = ""
  url.hash = ""
  return url.href
}
