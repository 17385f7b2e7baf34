import { errorCodes, errorMeanings } from "@haft/contract"
import { code, generatedNote, page, table } from "./markdown.js"

// From the command line: which exit code a failed call ends with.
const exitCodes: Readonly<Partial<Record<(typeof errorCodes)[number], number>>> = {
  invalid_args: 2,
  not_configured: 3,
  denied: 6,
  timeout: 124,
  cancelled: 130,
  internal: 1,
}

/** The page of error codes. */
export function errorPage(): string {
  return page(
    generatedNote,
    "# Error codes",
    'A call that fails returns an envelope with `type: "error"`, a sentence in `error_text`, and one of these codes in `metadata.error_code`. The list is closed. `metadata.hint` names the next step where there is one.',
    table(
      ["code", "meaning", "exit code of `haft call`"],
      errorCodes.map((name) => [code(name), errorMeanings[name], String(exitCodes[name] ?? 5)]),
    ),
  )
}
