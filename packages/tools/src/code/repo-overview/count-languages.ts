/** A file whose language is known. */
export interface CountedFile {
  readonly language: string
  readonly bytes: number
}

/** How much of a project is written in one language. */
export interface LanguageShare {
  readonly name: string
  readonly files: number
  readonly bytes: number
  /** Between 0 and 1, of the bytes in all known languages. */
  readonly share: number
}

/** The languages of a project, the largest first. */
export function countLanguages(files: readonly CountedFile[]): LanguageShare[] {
  const totals = new Map<string, { files: number; bytes: number }>()
  let all = 0
  for (const { language, bytes } of files) {
    const total = totals.get(language) ?? { files: 0, bytes: 0 }
    totals.set(language, { files: total.files + 1, bytes: total.bytes + bytes })
    all += bytes
  }
  return [...totals]
    .map(([name, total]) => ({ name, ...total, share: all === 0 ? 0 : Math.round((1000 * total.bytes) / all) / 1000 }))
    .sort((one, other) => other.bytes - one.bytes || other.files - one.files || (one.name < other.name ? -1 : 1))
}
