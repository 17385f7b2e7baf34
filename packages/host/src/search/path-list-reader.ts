/** Reads ripgrep's list of files with `--null`; paths are handed on as latin1 strings without their leading "./". */
export class PathListReader {
  private readonly take: (path: string) => void
  private rest: Buffer = Buffer.alloc(0)

  constructor(take: (path: string) => void) {
    this.take = take
  }

  /** Takes a piece of the output. */
  push(chunk: Buffer): void {
    const buffer = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk])
    let at = 0
    for (let end = buffer.indexOf(0); end >= 0; end = buffer.indexOf(0, at)) {
      this.take(buffer.toString("latin1", at + 2, end))
      at = end + 1
    }
    this.rest = buffer.subarray(at)
  }
}

/** The path as text; bytes that are not UTF-8 become the replacement character. */
export function decodePath(path: string): string {
  return /[\x80-\xff]/.test(path) ? Buffer.from(path, "latin1").toString("utf8") : path
}
