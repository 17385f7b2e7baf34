import {
  type ApiFileAtMoment,
  type ApiFilesAtMoment,
  type CallRecord,
  type ObservedEffect,
  ToolError,
} from "@haft/contract"
import type { SessionsHost } from "../host.js"

type Change = Extract<ObservedEffect, { kind: "fs.write" | "fs.delete" }>

/** A file of a session at one moment. */
interface Moment {
  readonly path: string
  readonly state: "written" | "absent" | "unchanged"
  readonly callId?: string
  /** Identity of the content that it had; null when it was not there. */
  readonly identity: string | null
  /** Why the content cannot be shown. */
  readonly reason?: string
}

/** The files that a session wrote, as they were right after a call; without one, after the last. */
export function filesAt(calls: readonly CallRecord[], callId: string | undefined): ApiFilesAtMoment {
  const files = momentsAt(calls, callId).map(({ path, state, callId: by, reason }) => ({
    ...{ path, state, available: reason === undefined },
    ...(by !== undefined && { callId: by }),
    ...(reason !== undefined && { reason }),
  }))
  return { at: callId ?? null, files }
}

/** More of a file is not sent to a page. */
const maxBytes = 2 * 1024 * 1024

/** One of these files with its content, from the file history or, where nothing changed it since, from the disk. */
export async function fileAt(
  calls: readonly CallRecord[],
  { callId, path, host }: { readonly callId: string | undefined; readonly path: string; readonly host: SessionsHost },
): Promise<ApiFileAtMoment> {
  const found = momentsAt(calls, callId).find((moment) => moment.path === path)
  if (!found) throw new ToolError("not_found", `Cannot show "${path.slice(0, 300)}": the session did not write it`)
  const { state, identity, reason } = found
  if (identity === null) return { path, state, bytes: 0, text: "" }
  const content =
    reason === undefined ? ((await host.kept(identity)) ?? (await host.current(path, identity))) : undefined
  if (!content) {
    const why = reason ?? "it changed since, and the file history has no copy"
    throw new ToolError("unavailable", `Cannot show "${path}" as it was then: ${why}`)
  }
  const shown = content.subarray(0, maxBytes)
  const text = textOf(shown)
  return {
    ...{ path, state, bytes: content.byteLength },
    ...(text === undefined ? { base64: Buffer.from(shown).toString("base64") } : { text }),
    ...(shown.byteLength < content.byteLength && { truncated: true }),
  }
}

function momentsAt(calls: readonly CallRecord[], callId: string | undefined): readonly Moment[] {
  const index = callId === undefined ? calls.length - 1 : calls.findIndex((call) => call.callId === callId)
  if (callId !== undefined && index === -1) {
    throw new ToolError("not_found", `Cannot go to call "${callId.slice(0, 100)}": the session has none with this id`)
  }
  const changes = new Map<string, { readonly at: number; readonly callId: string; readonly change: Change }[]>()
  calls.forEach((call, at) => {
    for (const effect of call.effects) {
      if (effect.kind !== "fs.write" && effect.kind !== "fs.delete") continue
      const known = changes.get(effect.path) ?? []
      changes.set(effect.path, [...known, { at, callId: call.callId, change: effect }])
    }
  })
  return [...changes].map(([path, list]) => {
    const last = list.findLast(({ at }) => at <= index)
    const identity = last ? last.change.after : list[0]!.change.before
    const hidden = list.flatMap(({ change }) => (change.kept === true ? [] : [change.kept]))[0]
    const reason = identity !== null && !/^[0-9a-f]{64}$/.test(identity) ? "it is no file" : hidden
    return {
      ...{ path, identity, state: identity === null ? "absent" : last ? "written" : "unchanged" },
      ...(last && { callId: last.callId }),
      ...(reason !== undefined && { reason }),
    }
  })
}

function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    // A text that is cut may end inside a character.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return undefined
  }
}
