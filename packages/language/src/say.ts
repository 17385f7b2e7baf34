/**
 * Says something in the language of a person. As a tag it takes words with holes, say`installed ${name}`; called with a
 * finished English text, for instance an error, it finds the words by what they are. What it does not know stays English.
 */
export interface Say {
  (words: TemplateStringsArray, ...values: readonly unknown[]): string
  (text: string): string
}

/** English is what the sources are written in. */
export const sayEnglish: Say = (words: TemplateStringsArray | string, ...values: readonly unknown[]) =>
  typeof words === "string" ? words : filledIn(words, values)

/** The words with their values between them. */
export function filledIn(words: readonly string[], values: readonly unknown[]): string {
  return words.map((word, index) => (index === 0 ? word : `${String(values[index - 1])}${word}`)).join("")
}
