import { everyCall, type ForeignSubject, type Matcher, type Translation, unsayable } from "./matcher.js"
import { translateCommand } from "./translate-command.js"
import { translatePath } from "./translate-path.js"
import { translateUrl } from "./translate-url.js"

/** Patterns of ours for a foreign one about this kind of text. */
export function translate(subject: ForeignSubject, matcher: Matcher, strict: boolean): Translation {
  if (matcher.how === "ours") {
    const { inner, outer } = matcher
    return { patterns: strict ? outer : inner, exact: inner.join("\n") === outer.join("\n") }
  }
  switch (subject) {
    case "command":
      return translateCommand(matcher, strict)
    case "path":
      return translatePath(matcher, strict)
    case "url":
      return translateUrl(matcher, strict)
    case "other":
      return matcher.how === "any" ? everyCall : unsayable(strict)
  }
}
