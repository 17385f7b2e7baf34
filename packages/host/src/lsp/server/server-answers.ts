import { basename } from "node:path"
import type { ServerSpec } from "../find/server-spec.js"
import { fileUri } from "../wire/file-uri.js"
import { listOf, recordOf } from "../wire/shape.js"

/** Answers what servers ask of an editor. Edits and windows are refused: a server's proposals are data, never done. */
export function serverAnswers(spec: ServerSpec, root: string) {
  return (method: string, params: unknown): { readonly result: unknown } | undefined => {
    switch (method) {
      case "workspace/configuration":
        return { result: listOf(recordOf(params)?.items).map((item) => settingOf(spec, recordOf(item)?.section)) }
      case "workspace/workspaceFolders":
        return { result: workspaceFolders(root) }
      case "workspace/applyEdit":
        return { result: { applied: false, failureReason: "This client does not apply edits" } }
      case "window/showDocument":
        return { result: { success: false } }
      case "client/registerCapability":
      case "client/unregisterCapability":
      case "window/workDoneProgress/create":
      case "window/showMessageRequest":
      case "workspace/diagnostic/refresh":
      case "workspace/semanticTokens/refresh":
      case "workspace/inlayHint/refresh":
      case "workspace/codeLens/refresh":
        return { result: null }
      default:
        return undefined
    }
  }
}

/** The one folder that a server works on, as the protocol names it. */
export function workspaceFolders(root: string) {
  return [{ uri: fileUri(root), name: basename(root) || "/" }]
}

function settingOf({ settings = {} }: ServerSpec, section: unknown): unknown {
  if (typeof section !== "string") return null
  if (Object.hasOwn(settings, section)) return settings[section]
  const [first = "", ...rest] = section.split(".")
  let value: unknown = Object.hasOwn(settings, first) ? settings[first] : null
  for (const name of rest) {
    const record = recordOf(value)
    value = record && Object.hasOwn(record, name) ? record[name] : null
  }
  return value
}
