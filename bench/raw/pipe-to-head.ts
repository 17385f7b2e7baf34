import { spawn } from "node:child_process"

/** `tail -n +FROM FILE | head -n COUNT`, its output read to the end. */
export function pipeToHead(file: string, from: number, count: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn("sh", ["-c", 'tail -n "+$1" "$2" | head -n "$3"', "sh", String(from), file, String(count)], {
      stdio: ["ignore", "pipe", "ignore"],
    })
    const pieces: Buffer[] = []
    child.stdout.on("data", (piece) => pieces.push(piece))
    child.on("error", reject)
    child.on("close", () => resolve(Buffer.concat(pieces)))
  })
}
