import { Facts, Markdown, type ResultProps, textAt, textsAt, useWords } from "@haft/faces"
import { words } from "./words.js"

/** Where the skill comes from, what it asks for, and its text. */
export function SkillResult({ data, details, isWhole }: ResultProps) {
  const own = useWords(words)
  const body = textAt(details, "body") ?? textAt(data, "content") ?? ""
  return (
    <>
      <Facts
        facts={{
          [own("does")]: textAt(details, "description"),
          [own("skillFrom")]: textAt(details, "path"),
          [own("allowedTools")]: textsAt(details, "allowedTools").join(", "),
        }}
      />
      <Markdown text={isWhole ? body : body.slice(0, 1500)} />
    </>
  )
}
