/**
 * The words that a shell inside of a wall runs: unpack what standard input brings, print the opening line, run the
 * command. The line comes before anything of the command can, so whoever reads it knows for certain that it started.
 */
export function jobArgv(opening: string): readonly string[] {
  return ["/bin/sh", "-c", script, "sh", opening]
}

const script = [
  'fail() { echo "$1" >&2; exit 125; }',
  'tar -x -o -f - -C / || fail "the files could not be unpacked"',
  'mkdir -p /home/box && cd /work || fail "the folders of the command could not be made"',
  "shell=/bin/sh; [ -x /bin/bash ] && shell=/bin/bash",
  "export SHELL=$shell; ulimit -c 0",
  "printf '%s\\n' \"$1\"",
  // The command is a child: the kernel shields the first process of a namespace from signals, and what the shell has to
  // say about a killed child is none of the command's words.
  "exec 3>&2 2> /dev/null",
  "$shell /run/box/command < /dev/null 2>&3 3>&-",
  "exit $?",
].join("\n")
