/**
 * The forms in which a text is compared: compatibility forms made plain, white space folded, and what percent and
 * base64 coding in it hides.
 */
export function plainForms(text: string): readonly string[] {
  const plain = fold(text)
  const forms = [plain]
  if (/%[0-9a-f]{2}/i.test(text)) {
    const decoded = fold(percentDecoded(text))
    if (decoded !== plain) forms.push(decoded)
  }
  const hidden = base64Decoded(text)
  if (hidden !== "") forms.push(fold(hidden))
  return forms
}

function fold(text: string): string {
  return text.normalize("NFKC").replace(/\s+/g, " ")
}

function percentDecoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (coded) => {
    const bytes = Uint8Array.from(coded.slice(1).split("%"), (hex) => Number.parseInt(hex, 16))
    return new TextDecoder().decode(bytes)
  })
}

/** Every run that decodes to text, one behind the other. */
function base64Decoded(text: string): string {
  const found: string[] = []
  for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{24,}={0,2}/g)) {
    const decoded = decodeRun(run)
    if (decoded !== undefined) found.push(decoded)
    if (found.length >= maxRuns) break
  }
  return found.join(" ")
}

const maxRuns = 64

function decodeRun(run: string): string | undefined {
  const standard = run.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "")
  try {
    const binary = atob(standard.slice(0, standard.length - (standard.length % 4 === 1 ? 1 : 0)))
    const text = new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(binary, (byte) => byte.charCodeAt(0)))
    return /[\0-\x08\x0e-\x1f]/.test(text) ? undefined : text
  } catch {
    return undefined
  }
}
