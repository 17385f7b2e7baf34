import { type Execute, ToolError } from "@haft/contract"
import { applyEdit, type EditOutcome } from "@haft/tools/files/edit/apply-edit.js"
import { detectEncoding } from "@haft/tools/files/shared/text/index.js"
import { openText } from "@haft/tools/files/shared/text/open-text.js"
import type { manifest } from "./index.js"

/** Replaces text as `edit` does, in one turn with no other writer in between, and keeps what was there. */
export const execute: Execute<typeof manifest> = async (input, { files, limit, setState }) => {
  const { path, old_string: oldString, new_string: newString, replace_all: replaceAll } = input
  if (oldString === newString) throw sameStrings(path)
  let outcome: EditOutcome | undefined
  let before: Uint8Array | undefined
  const receipt = await files.update(path, { maxBytes: limit }, async ({ bytes }) => {
    before = bytes
    outcome = await applyEdit(bytes, { oldString, newString, replaceAll }, path)
    return outcome.bytes
  })
  const { replacements, hunks } = outcome!
  setState({ hunks, original: await textBefore(before!) })
  return { path: receipt.path, replacements }
}

/** A binary file can be edited too; as text it is shown as far as it goes. */
async function textBefore(bytes: Uint8Array): Promise<string> {
  const detected = await detectEncoding(bytes)
  return detected === "binary" ? new TextDecoder().decode(bytes) : (await openText(bytes, detected)).content
}

function sameStrings(path: string): ToolError {
  return new ToolError("invalid_args", `Cannot edit "${path}": old_string and new_string must differ`, {
    hint: "Send the text as it shall be in new_string",
  })
}
