/** A name without what people spell differently: small letters and digits alone, without "tool" at its end. */
export function canonicalToken(name: string): string {
  const plain = name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")
  return plain.length > suffix.length && plain.endsWith(suffix) ? plain.slice(0, -suffix.length) : plain
}

const suffix = "tool"
