import { type Say, sayEnglish } from "@haft/language"

/** Words drawn for a stream: in the person's language, in colour where that is wanted. Colour never carries the meaning alone. */
export interface Style {
  readonly say: Say
  bold(text: string): string
  dim(text: string): string
  red(text: string): string
  green(text: string): string
  yellow(text: string): string
}

/** When to draw in colour. */
export const colorChoices = ["auto", "always", "never"] as const
/** One of the answers to "in colour?". */
export type ColorChoice = (typeof colorChoices)[number]

/** What a person chose for all words of a run. */
export interface Manner {
  readonly color?: ColorChoice | undefined
  readonly say?: Say
}

/** The style for a stream. A flag decides first, then NO_COLOR, FORCE_COLOR and TERM, then whether it is a terminal. */
export function styleFor(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
  { color = "auto", say = sayEnglish }: Manner = {},
): Style {
  return { say, ...(wantsColor(stream, env, color) ? colored : plain) }
}

function wantsColor(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
  choice: ColorChoice,
) {
  if (choice !== "auto") return choice === "always"
  if (env.NO_COLOR) return false
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== "0"
  return stream.isTTY === true && env.TERM !== "dumb"
}

const same = (text: string) => text
const plain: Omit<Style, "say"> = { bold: same, dim: same, red: same, green: same, yellow: same }

const paint = (open: number, close: number) => (text: string) => `\u001b[${open}m${text}\u001b[${close}m`
const colored: Omit<Style, "say"> = {
  bold: paint(1, 22),
  dim: paint(2, 22),
  red: paint(31, 39),
  green: paint(32, 39),
  yellow: paint(33, 39),
}
