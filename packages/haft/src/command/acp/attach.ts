import { once } from "node:events"
import { connect } from "node:net"
import { createInterface } from "node:readline"
import { ToolError } from "@haft/contract"
import type { Io } from "../io.js"

/** Prints what comes through the socket of an agent, and ends with the code of the command that printed it. */
export async function attach(path: string, io: Io): Promise<number> {
  const socket = connect(path)
  try {
    await once(socket, "connect")
  } catch (error) {
    throw new ToolError("not_found", `Cannot show the output of "${path}": nothing is there`, {
      hint: "Editors run this while a command runs; it is of no use otherwise",
      cause: error,
    })
  }
  let code = 1
  for await (const line of createInterface({ input: socket })) {
    const piece = JSON.parse(line) as { readonly text?: string; readonly exit?: number }
    if (piece.text !== undefined) io.stdout.write(piece.text)
    if (piece.exit !== undefined) {
      code = piece.exit
      break
    }
  }
  socket.destroy()
  return code
}
