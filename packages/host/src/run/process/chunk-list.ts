// Smaller pieces are gathered: thousands of them would cost more in bookkeeping than in bytes.
const smallBytes = 4 * 1024
const gatherBytes = 32 * 1024

/** Bytes in the order in which they came; large pieces are held and never copied. */
export class ChunkList {
  private readonly chunks: Buffer[] = []
  private gathering: Buffer | undefined
  private gathered = 0
  private first = 0
  bytes = 0

  add(chunk: Buffer): void {
    this.bytes += chunk.length
    if (chunk.length > smallBytes) {
      this.seal()
      this.chunks.push(chunk)
      return
    }
    if (this.gathering && this.gathered + chunk.length > gatherBytes) this.seal()
    this.gathering ??= Buffer.allocUnsafeSlow(gatherBytes)
    chunk.copy(this.gathering, this.gathered)
    this.gathered += chunk.length
  }

  /** Lets go of the oldest pieces as long as so many bytes remain. */
  keepLast(bytes: number): void {
    for (let chunk = this.chunks[this.first]; chunk && this.bytes - chunk.length >= bytes; ) {
      this.bytes -= chunk.length
      this.first += 1
      chunk = this.chunks[this.first]
    }
    if (this.first > 256) {
      this.chunks.splice(0, this.first)
      this.first = 0
    }
  }

  /** All pieces; the list is empty afterwards. */
  drain(): Buffer[] {
    this.seal()
    const chunks = this.chunks.splice(0).slice(this.first)
    this.first = 0
    this.bytes = 0
    return chunks
  }

  /** All bytes as one piece. */
  joined(): Buffer {
    this.seal()
    return Buffer.concat(this.chunks.slice(this.first))
  }

  private seal(): void {
    if (this.gathering && this.gathered > 0) this.chunks.push(this.gathering.subarray(0, this.gathered))
    this.gathering = undefined
    this.gathered = 0
  }
}
