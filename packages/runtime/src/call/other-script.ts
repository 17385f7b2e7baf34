import { ToolError } from "@haft/contract"

/** What a person answered, or a rule was kept for, was another text. */
export function otherScript(when: "while the question was open" | "before it could start"): ToolError {
  return new ToolError("conflict", `Cannot run the command: the text that it runs changed ${when}`, {
    hint: "Repeat the call",
  })
}
