/** A file with instructions, as far as it is used. */
export interface InstructionFile {
  readonly path: string
  readonly text: string
  /** True when only its beginning is used. */
  readonly truncated: boolean
}

// What a token is taken for everywhere in Haft.
const bytesPerToken = 4

/**
 * Keeps what is nearest to the work: files are taken from the last to the first until the cap is reached; of the one
 * that does not fit the beginning stays, those further out are left out.
 */
export function fitInstructions(
  found: readonly { readonly path: string; readonly text: string }[],
  maxTokens: number,
): { readonly files: readonly InstructionFile[]; readonly warnings: readonly string[] } {
  const files: InstructionFile[] = []
  const warnings: string[] = []
  let left = maxTokens * bytesPerToken
  for (const { path, text } of [...found].reverse()) {
    const bytes = Buffer.byteLength(text)
    if (bytes <= left) files.unshift({ path, text, truncated: false })
    else if (left > 0) {
      files.unshift({ path, text: firstBytes(text, left), truncated: true })
      warnings.push(`${path} is cut: instructions may have about ${maxTokens} tokens together`)
    } else warnings.push(`${path} is left out: instructions may have about ${maxTokens} tokens together`)
    left = Math.max(0, left - bytes)
  }
  return { files, warnings }
}

/** The beginning of a text, cut between characters. */
function firstBytes(text: string, bytes: number): string {
  const whole = Buffer.from(text)
  let end = bytes
  while (end > 0 && ((whole[end] ?? 0) & 0b1100_0000) === 0b1000_0000) end -= 1
  return whole.toString("utf8", 0, end)
}
