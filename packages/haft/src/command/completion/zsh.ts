import { type CompletionTable, living, type ValueChoices } from "./completion-table.js"

/** Completion for zsh. */
export function zsh({ after, values }: CompletionTable): string {
  return `#compdef haft
# haft completion for zsh: eval "$(haft completion zsh)"
_haft() {
  local cur=\${words[CURRENT]} prev=\${words[CURRENT-1]} path_words="" skip="" word candidates="" asks="" index
  case "$prev" in
${values.map(({ option, choices }) => `    ${option}) ${valueAction(choices)}; return ;;`).join("\n")}
  esac
  for ((index = 2; index < CURRENT; index++)); do
    word=\${words[index]}
    if [[ -n "$skip" ]]; then skip=""; continue; fi
    case "$word" in
      ${values.map(({ option }) => option).join("|")}) skip=1 ;;
      -*) ;;
      *) path_words="\${path_words:+$path_words }$word" ;;
    esac
  done
  while true; do
    case "$path_words" in
${after.map(({ path, words, asks = "" }) => `      ${quote(path)}) candidates=${quote(words.join(" "))} asks=${quote(asks)} ;;`).join("\n")}
    esac
    [[ -n "$candidates" || "$path_words" != *" "* ]] && break
    path_words=\${path_words% *}
  done
  [[ -n "$asks" ]] && candidates="$candidates $(haft completion "$asks" 2>/dev/null)"
  local -a plain open
  plain=(\${(M)\${=candidates}:#*[^=]})
  open=(\${(M)\${=candidates}:#*=})
  compadd -a plain
  compadd -S '' -a open
  [[ "$cur" != -* ]] && _files
}
compdef _haft haft
`
}

function valueAction(choices: ValueChoices): string {
  if (choices === "file") return "_files"
  const asked = living.find((kind) => kind === choices)
  if (asked) return `compadd $(haft completion ${asked} 2>/dev/null)`
  return Array.isArray(choices) ? `compadd ${choices.join(" ")}` : ":"
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
