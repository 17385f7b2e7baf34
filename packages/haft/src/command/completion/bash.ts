import { type CompletionTable, living, type ValueChoices } from "./completion-table.js"

/** Completion for bash 3.2 and newer. */
export function bash({ after, values }: CompletionTable): string {
  return `# haft completion for bash: eval "$(haft completion bash)"
_haft() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} path="" skip="" word index words="" asks=""
  COMPREPLY=()
  case "$prev" in
${values.map(({ option, choices }) => `    ${option}) ${valueAction(choices)}; return ;;`).join("\n")}
  esac
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    if [[ -n "$skip" ]]; then skip=""; continue; fi
    case "$word" in
      ${values.map(({ option }) => option).join("|")}) skip=1 ;;
      -*) ;;
      *) path="\${path:+$path }$word" ;;
    esac
  done
  while :; do
    case "$path" in
${after.map(({ path, words, asks = "" }) => `      ${quote(path)}) words=${quote(words.join(" "))} asks=${quote(asks)} ;;`).join("\n")}
    esac
    [[ -n "$words" || "$path" != *" "* ]] && break
    path=\${path% *}
  done
  [[ -n "$asks" ]] && words="$words $(haft completion "$asks" 2>/dev/null)"
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  [[ \${#COMPREPLY[@]} -eq 1 && "\${COMPREPLY[0]}" == *= ]] && compopt -o nospace 2>/dev/null
  [[ \${#COMPREPLY[@]} -eq 0 ]] && COMPREPLY=($(compgen -f -- "$cur"))
  return 0
}
complete -F _haft haft
`
}

function valueAction(choices: ValueChoices): string {
  if (choices === "file") return 'COMPREPLY=($(compgen -f -- "$cur"))'
  const asked = living.find((kind) => kind === choices)
  if (asked) return `COMPREPLY=($(compgen -W "$(haft completion ${asked} 2>/dev/null)" -- "$cur"))`
  return Array.isArray(choices) ? `COMPREPLY=($(compgen -W ${quote(choices.join(" "))} -- "$cur"))` : ":"
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
