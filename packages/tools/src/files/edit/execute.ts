import { type Execute, ToolError } from "@haft/contract"
import { maxTextBytes } from "../shared/text/open-text.js"
import { applyEdit, type EditOutcome } from "./apply-edit.js"
import type { manifest } from "./index.js"

/** Replaces text in the current bytes of the file, in one turn with no other writer in between. */
export const execute: Execute<typeof manifest> = async (input, context) => {
  const path = input.file_path
  checkStrings(input, path)
  const wanted = { oldString: input.old_string, newString: input.new_string, replaceAll: input.replace_all }
  let outcome: EditOutcome | undefined
  await context.files.update(path, { maxBytes: maxTextBytes }, async ({ bytes }) => {
    outcome = await applyEdit(bytes, wanted, path)
    return outcome.bytes
  })
  const { replacements, firstLine, normalised, guessedEncoding, hunks } = outcome!
  context.setState({ hunks })
  return {
    file_path: path,
    replacements,
    first_line: firstLine,
    ...(normalised !== undefined && { normalised }),
    ...(guessedEncoding !== undefined && { encoding_guessed: guessedEncoding }),
  }
}

function checkStrings({ old_string, new_string }: { old_string: string; new_string: string }, path: string): void {
  if (old_string === "") {
    throw new ToolError("invalid_args", `Cannot edit "${path}": old_string is empty; name the text to replace`, {
      hint: { say: "To create a file or replace all of it use {tool:write}" },
    })
  }
  if (old_string === new_string) {
    throw new ToolError(
      "invalid_args",
      `Cannot edit "${path}": old_string and new_string are the same; nothing to do`,
      {
        hint: "Send the text as it shall be in new_string",
      },
    )
  }
}
