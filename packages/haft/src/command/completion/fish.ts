import { type CompletionTable, living } from "./completion-table.js"

/** Completion for fish. */
export function fish({ after, values }: CompletionTable): string {
  const withValue = values.map(({ option }) => option).join(" ")
  const lines = after.map(
    ({ path, words, asks }) =>
      `complete -c haft -n "__haft_at '${path}'" -f -a "${[...words, ...asked(asks)].join(" ")}"`,
  )
  const options = values.map(({ option, choices }) => {
    const name = option.slice(2)
    if (living.some((kind) => kind === choices))
      return `complete -c haft -l ${name} -x -a "${asked(choices as string)}"`
    if (choices === "file") return `complete -c haft -l ${name} -r -F`
    return Array.isArray(choices)
      ? `complete -c haft -l ${name} -x -a "${choices.join(" ")}"`
      : `complete -c haft -l ${name} -x`
  })
  return `# haft completion for fish: haft completion fish | source
function __haft_at
  set -l path
  set -l skip 0
  for word in (commandline -opc)[2..-1]
    if test $skip = 1
      set skip 0
    else if contains -- $word ${withValue}
      set skip 1
    else if not string match -q -- '-*' $word; and not string match -q -- '*=*' $word
      set -a path $word
    end
  end
  test "$path" = "$argv[1]"
end
${lines.join("\n")}
${options.join("\n")}
`
}

function asked(kind: string | undefined): readonly string[] {
  return kind === undefined ? [] : [`(haft completion ${kind} 2>/dev/null)`]
}
