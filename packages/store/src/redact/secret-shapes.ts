/** How one kind of secret looks: group 1 stays, group 2 is hidden. */
export interface SecretShape {
  readonly kind: string
  readonly pattern: RegExp
  /** Refuses matches that are only words. */
  readonly accept?: (value: string) => boolean
}

// Every pattern runs in time linear to its text. Two rules keep it so, and keep redaction idempotent:
// a pattern starts with fixed characters (or behind a boundary), and its open end takes every letter and digit that follows.
const boundary = "(?<![A-Za-z0-9_])"

/** Tokens with a prefix of their own, key blocks, and credentials in headers and URLs. */
export const secretShapes: readonly SecretShape[] = [
  {
    kind: "private-key",
    // The end may be missing (output is cut), so the body ends where base64 ends. RFC 1421 headers may be before it.
    pattern:
      /()(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:\s{0,4}[A-Za-z-]{1,20}: [^\r\n]{0,200}\r?\n){0,4}[A-Za-z0-9+/=\s\\]{16,}(?:-----END [A-Z0-9 ]{0,60}-----)?[\w-]*)/g,
  },
  token("aws", "A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}\\w*"),
  token("github", "(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})\\w*"),
  token("gitlab", "gl(?:pat|oas|dt|rt|cbt|ptt|ft|imt|agent|soat|ffct)-[\\w-]{20,}"),
  token("slack", "(?:xox[a-z]-|xapp-)[\\w-]{15,}"),
  { kind: "slack", pattern: /(hooks\.slack\.com\/services\/)([\w/-]{20,})/g },
  token("npm", "npm_[A-Za-z0-9]{36}\\w*"),
  token("stripe", "(?:[rs]k_(?:live|test)_|whsec_)[A-Za-z0-9]{16,}\\w*"),
  token("google", "(?:AIza[\\w-]{35}|GOCSPX-[\\w-]{20}|ya29\\.[\\w-]{20})[\\w-]*"),
  token("anthropic", "sk-ant-[\\w-]{20,}"),
  { ...token("openai", "sk-(?!ant-)[\\w-]{20,}"), accept: looksRandom },
  // Its runs may hold hyphens, so one is no boundary: a long run would be read again from every hyphen on.
  { kind: "jwt", pattern: /(?<![\w-])()(eyJ[\w-]{8,}\.eyJ[\w-]{17,}\.[\w-]{16,})/g },
  { kind: "bearer", pattern: /(\bbearer[ \t]{1,8})([\w.~+/=-]{16,})/gi, accept: looksRandom },
  {
    kind: "authorization",
    pattern:
      /(authorization["'`\\]{0,3}[ \t]{0,8}[:=][ \t]{0,8}["'`\\]{0,3}(?:basic|token|digest|apikey)[ \t]{1,8})([\w.~+/=:-]{8,})/gi,
  },
  {
    kind: "cookie",
    pattern: /(cookie["'`\\]{0,3}[ \t]{0,8}:[ \t]{0,8}["'`\\]{0,3})([\w.~+/=:%;, -]{8,})/gi,
    accept: (value) => value.includes("="),
  },
  { kind: "url", pattern: /(:\/\/[^\s:@/"'`<>]{0,256}:)([^\s/"'`<>]+)(?=@)/g },
]

const assignedNames =
  "(?:passw(?:or)?d|passphrase|secret|token|(?:api|access|private|secret|encryption|signing|master|account|storage|ssh|auth)[_-]?key|authorization)"
const assignedName = new RegExp(assignedNames, "i")

/** `password = ...`, `"api_key": "..."` and their like, where the value is not an ordinary word or a reference. */
export const assignment = new RegExp(
  `(${assignedNames}[\\w-]{0,24}["'\`\\\\]{0,3}[ \\t]{0,8}(?:=>|:=|[:=])[ \\t]{0,8})` +
    `(?:(["'\`\\\\]{1,3})([^\\s"'\`\\\\]{8,})|((?!\\$|%|process\\.|os\\.|env\\.|import\\.)[^\\s"'\`\\\\,;&|<>(){}[\\]]{8,}))`,
  "gi",
)

/** The kind of secret that a name promises, where it promises one. */
export function assignedKind(name: string): string | undefined {
  const found = assignedName.exec(name)?.[0].toLowerCase()
  if (found === undefined) return undefined
  if (found.startsWith("p") && !found.endsWith("key")) return "password"
  if (found.endsWith("key")) return "key"
  return found
}

/**
 * Letters and digits mixed, or letters with signs that words do not have. It stays true when the value grows:
 * a value that was judged whole cannot be judged otherwise in part.
 */
export function looksRandom(value: string): boolean {
  if (value.length < 8 || !/[A-Za-z]/.test(value) || !/[0-9!#$%^*+~?]/.test(value)) return false
  return new Set(value.slice(0, 256)).size >= 5
}

function token(kind: string, pattern: string): SecretShape {
  return { kind, pattern: new RegExp(`${boundary}()(${pattern})`, "g") }
}
