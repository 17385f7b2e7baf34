/** An id as providers take it: `:` and `.` are not among the characters of a name. */
export function wireName(name: string): string {
  return name.replaceAll(":", "__").replaceAll(".", "--")
}
