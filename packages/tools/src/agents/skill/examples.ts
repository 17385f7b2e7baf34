import type { Example } from "@haft/contract"
import type { manifest } from "./manifest.js"

/** Calls that show what `skill` promises, where one skill `release-notes` is known. */
export const examples: readonly Example<typeof manifest>[] = [
  {
    name: "a skill of the project",
    input: { name: "release-notes" },
    output: {
      name: "release-notes",
      content:
        '<skill_content name="release-notes">\nRead the log since the last tag.\n</skill_content>\nFolder of this skill: /project/.agents/skills/release-notes',
    },
  },
  { name: "a name that is misspelt", input: { name: "release-note" }, fails: "not_found" },
  { name: "a name that nothing resembles", input: { name: "zzz" }, fails: "not_found" },
]
