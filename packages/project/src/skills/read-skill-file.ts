import { readWithin } from "../instructions/read-within.js"

// More would not fit into any conversation.
const maxBytes = 1_000_000

/** The text of a file of a skill; throws an error that says why it cannot be used. */
export async function readSkillFile(path: string, folder: string): Promise<string> {
  const file = await readWithin(path, folder, { maxBytes })
  if (file) return file.text
  throw new Error("it does not exist")
}
