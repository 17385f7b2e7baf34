/** Records of `size` fields from an output in which every field ends with NUL. */
export function recordsOf(output: string, size: number): readonly (readonly string[])[] {
  const fields = output.split("\0")
  const records: string[][] = []
  for (let start = 0; start + size <= fields.length - 1; start += size) records.push(fields.slice(start, start + size))
  return records
}
