import { malformed } from "./malformed.js"

/** The names of a file before and after; undefined where there is none. */
export interface PatchNames {
  readonly oldPath: string | undefined
  readonly newPath: string | undefined
}

/** A name as a header has it: perhaps in quotes, perhaps with a time behind it. Undefined for /dev/null. */
export function readName(text: string, patchLine: number): string | undefined {
  const name = text.startsWith('"') ? unquote(text, patchLine).name : text.replace(/\t.*$/, "").trimEnd()
  if (name === "") throw malformed("the name of the file is missing", patchLine)
  return name === "/dev/null" ? undefined : name
}

/** Takes `a/` and `b/` away where both names have them, as git and most tools write. */
export function withoutPrefixes(oldPath: string | undefined, newPath: string | undefined): PatchNames {
  const isPrefixed = prefixPairs.some(
    ([old, now]) => (oldPath?.startsWith(old) ?? true) && (newPath?.startsWith(now) ?? true),
  )
  return isPrefixed ? { oldPath: oldPath?.slice(2), newPath: newPath?.slice(2) } : { oldPath, newPath }
}

// The commit, index, work tree and object prefixes of diff.mnemonicPrefix too, in both directions.
const prefixPairs = ["ab", "ba", "iw", "wi", "ci", "ic", "cw", "wc", "ow", "wo"].map(
  ([old, now]) => [`${old}/`, `${now}/`] as const,
)

/** The names in a line `diff --git a/x b/x`, which is all there is for an empty file or a change of mode. */
export function namesOfGitLine(text: string, patchLine: number): PatchNames {
  if (text.startsWith('"')) {
    const { name, rest } = unquote(text, patchLine)
    return withoutPrefixes(name, readName(rest.trimStart(), patchLine))
  }
  // Blanks in names are not marked; the two names are equal but for the prefix, so the middle is where they part.
  const middle = (text.length - 1) / 2
  const [oldPath, newPath] = [text.slice(0, middle), text.slice(middle + 1)]
  const names = withoutPrefixes(oldPath, newPath)
  if (text[middle] === " " && names.oldPath === names.newPath) return names
  throw malformed(`cannot tell the two names apart in "${text}"`, patchLine)
}

const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, "\\": 92 }

/** Reads a name in the quotes of git: bytes that are not printable are written as octal numbers. */
function unquote(text: string, patchLine: number): { readonly name: string; readonly rest: string } {
  const bytes: number[] = []
  const encoder = new TextEncoder()
  for (let at = 1; at < text.length; at += 1) {
    const character = text[at]!
    if (character === '"') {
      return {
        name: new TextDecoder("utf-8", { ignoreBOM: true }).decode(new Uint8Array(bytes)),
        rest: text.slice(at + 1),
      }
    }
    if (character !== "\\") {
      const point = String.fromCodePoint(text.codePointAt(at)!)
      bytes.push(...encoder.encode(point))
      at += point.length - 1
      continue
    }
    const octal = /^[0-3][0-7]{2}/.exec(text.slice(at + 1, at + 4))
    const byte = octal ? Number.parseInt(octal[0], 8) : escapes[text[at + 1] ?? ""]
    if (byte === undefined) throw malformed(`the quoted name ${text} has an unknown escape`, patchLine)
    bytes.push(byte)
    at += octal ? 3 : 1
  }
  throw malformed(`the quoted name ${text} has no end`, patchLine)
}
