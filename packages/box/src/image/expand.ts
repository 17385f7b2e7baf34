import { spawn } from "node:child_process"
import { gunzipSync } from "node:zlib"
import { ToolError } from "@haft/contract"

const formats = [
  { name: "gzip", magic: [0x1f, 0x8b] },
  { name: "xz", magic: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00] },
  { name: "zstd", magic: [0x28, 0xb5, 0x2f, 0xfd] },
  { name: "lz4", magic: [0x02, 0x21, 0x4c, 0x18] },
] as const

/** The content of something that may be compressed; plain content comes back as it is. */
export async function expand(content: Uint8Array): Promise<Uint8Array> {
  const format = formats.find(({ magic }) => magic.every((byte, index) => content[index] === byte))
  if (format === undefined) return content
  return format.name === "gzip" ? gunzipSync(content) : expandWith(format.name, content)
}

function expandWith(program: string, content: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, ["-d", "-c"], { stdio: ["pipe", "pipe", "ignore"] })
    const pieces: Buffer[] = []
    child.on("error", () => {
      reject(
        new ToolError("not_configured", `Cannot expand the kernel: "${program}" is not installed`, {
          hint: `Install it, for instance with: apt-get install ${program === "xz" ? "xz-utils" : program}`,
        }),
      )
    })
    child.stdout.on("data", (piece: Buffer) => pieces.push(piece))
    // A kernel ends with its size, which is no part of the stream: the program complains, but all of it came out.
    child.on("close", () => {
      if (pieces.length > 0) resolve(Buffer.concat(pieces))
      else reject(new ToolError("backend", `Cannot expand the kernel: "${program}" gave nothing`))
    })
    child.stdin.on("error", () => undefined)
    child.stdin.end(content)
  })
}
