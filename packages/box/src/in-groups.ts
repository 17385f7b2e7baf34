/** The command that joins these groups first and then becomes this one: nothing runs outside of them. */
export function inGroups(joins: readonly string[], argv: readonly string[]): readonly string[] {
  if (joins.length === 0) return argv
  const script = 'for file do shift; [ "$file" = -- ] && exec "$@"; echo $$ > "$file" || exit 1; done'
  return ["/bin/sh", "-c", script, "sh", ...joins, "--", ...argv]
}
