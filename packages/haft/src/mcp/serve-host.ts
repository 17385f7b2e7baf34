import { open } from "node:fs/promises"
import type { AskRequest, Dialect, Envelope, Ladder } from "@haft/contract"
import type { Say } from "@haft/language"
import type { HostSession } from "@haft/mcp"
import type { Session } from "../library/session.js"
import { askText, scriptChange } from "../terminal/ask-text.js"
import { styleFor } from "../terminal/style.js"

/** A session as the MCP server uses it. */
export function hostSession(session: Session, dialect?: Dialect): HostSession {
  return {
    id: session.id,
    async call({ name }, input, options) {
      const call = { ...options, fromModel: true }
      return dialect ? session.callIn(dialect, name, input, call) : { result: await session.result(name, input, call) }
    },
    async readOutput(path, maxBytes) {
      const file = await open(path)
      try {
        const { size: bytes } = await file.stat()
        const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(bytes, maxBytes)))
        return { text: buffer.subarray(0, bytesRead).toString("utf8"), bytes }
      } finally {
        await file.close()
      }
    },
    close: session.close,
  }
}

const width = 100

/** A permission question in plain words, for a form of a client. */
export async function askWords(request: AskRequest, say: Say): Promise<string> {
  const canvas = { style: styleFor({}, { NO_COLOR: "1" }, { say }), width, hasKeys: false }
  return askText(request, canvas, await scriptChange(request))
}

/** What the person at an MCP client can do about a call that failed: the model cannot. */
export function personStep({ metadata }: Pick<Envelope, "metadata">, say: Say): string | undefined {
  const { fix, ladder } = (metadata.details ?? {}) as { fix?: string | readonly string[]; ladder?: Ladder }
  if (fix !== undefined) return typeof fix === "string" ? say(fix) : say`Run: ${fix.join("; ")}`
  // The person has just said no.
  if (ladder === undefined || ladder.verdict === "ask") return undefined
  const rule = /^--allow (.+)$/.exec(ladder.flag ?? "")?.[1]
  if (rule !== undefined)
    return say`To allow this, run: haft rule add allow ${rule}\nor start the server with: ${ladder.flag}`
  return ladder.flag === undefined ? undefined : say`To allow this, start the server with: ${ladder.flag}`
}
