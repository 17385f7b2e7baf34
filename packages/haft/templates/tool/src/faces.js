import { createElement } from "react"

/** The header of a call. Drawn in every phase: while arguments stream in there is only a part of them. */
function Inspector({ words, args, partialArgs, isLoading, pluginState }) {
  const path = args.path ?? partialArgs?.path
  const count = pluginState?.words
  return createElement(
    "span",
    { className: isLoading ? "haft-pulse" : undefined },
    [isLoading ? words.loading : words.title, path, count].filter((part) => part !== undefined).join(" · "),
  )
}

/** The faces that differ from the defaults, which draw the others. */
export const faces = { Inspector }
