import type { Content, PromptFile, TurnInput } from "@haft/contract"

// Providers take these, and refuse the whole request for another one: a server may give anything as an image.
const shownTypes: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"])

/** An image as a part of a result, or words in its place. */
export function imagePart({ mediaType: given, data }: Extract<Content, { type: "image" }>, isWorded: boolean) {
  const mediaType = usualType(given)
  return isWorded || !shownTypes.has(mediaType)
    ? { type: "text" as const, text: notShown(given) }
    : { type: "image-data" as const, data, mediaType }
}

/** Servers write the names of types in other ways too. */
function usualType(given: string): string {
  const name = given.split(";", 1)[0]!.trim().toLowerCase()
  return name === "image/jpg" ? "image/jpeg" : name
}

/** Whether a file is more than text. */
export function isMedia({ mediaType }: PromptFile): boolean {
  return !mediaType.startsWith("text/")
}

/** A message with words in the place of its images and other files. */
export function mediaInWords({ text, files = [] }: TurnInput): TurnInput {
  const words = files.filter(isMedia).map(({ name, mediaType }) => notShown(`${name} (${mediaType})`))
  return { text: [text, ...words].join("\n"), files: files.filter((file) => !isMedia(file)) }
}

function notShown(what: string): string {
  return `[${what}, not shown: the model does not take it]`
}
