import { becomeCommand } from "../supervising-shell.js"

/** What stands behind a spare sandbox: a shell that is told its words at a descriptor and then turns into that program. */
export function waiterArgv(descriptor: number): readonly string[] {
  const become = becomeCommand(descriptor)
  return ["/bin/sh", "-c", script.replaceAll("{words}", String(descriptor)).replace("{become}", () => become)]
}

/**
 * What to tell it so that it becomes this program; undefined for a program that has to be looked for, and for words that
 * are long or more than plain text: a shell reads letter by letter, and not every one keeps every letter.
 */
export function wordsFor(argv: readonly string[]): string | undefined {
  const words = argv.map((word) => `${word.split("\n").length} ${word.length}\n${word}\n`)
  const text = `${words.join("")}run ${argv.length}\n`
  const isTold = argv[0]?.startsWith("/") === true && text.length <= maxLength && /^[\t\n -~]*$/.test(text)
  return isTold ? text : undefined
}

const maxLength = 4096

/** What it says when it was told too little, or not what was meant. */
export const notTold = "haft: the command did not reach the sandbox that waited for it"

// Where it was told, it says so before it becomes the command, which cannot say it. Each word comes as the number of its lines, its length, and itself. Nothing of it is ever read as a line of shell: a
// word is a value from beginning to end. What is incomplete or has another length than announced is not run.
const script = `
while IFS=' ' read -r haft_lines haft_length <&{words}; do
  if [ "$haft_lines" = run ]; then
    [ "$#" = "$haft_length" ] || break
    echo told >&{words}
    {become}
  fi
  IFS= read -r haft_word <&{words} || break
  while [ "$haft_lines" -gt 1 ]; do
    IFS= read -r haft_line <&{words} || break 2
    haft_word="$haft_word
$haft_line"
    haft_lines=$((haft_lines - 1))
  done
  [ "\${#haft_word}" = "$haft_length" ] || break
  set -- "$@" "$haft_word"
done
echo "${notTold}" >&2
exit 125
`
