import { ToolError } from "@haft/contract"
import { maxTextBytes } from "../shared/text/open-text.js"
import type { Change, Files } from "./plan-changes.js"

/** Makes all changes, or takes back those that were made and says which one failed and why. */
export async function makeChanges(changes: readonly Change[], files: Files): Promise<void> {
  const made: { readonly path: string; takeBack(): Promise<unknown> }[] = []
  for (const change of changes) {
    try {
      made.push({ path: change.path, takeBack: await makeChange(change, files) })
    } catch (error) {
      const stuck: string[] = []
      for (const { path, takeBack } of made.reverse()) await takeBack().catch(() => stuck.push(path))
      throw failed(error, made.length, stuck)
    }
  }
}

/** Makes one change and gives what undoes it. */
async function makeChange(change: Change, files: Files): Promise<() => Promise<unknown>> {
  switch (change.kind) {
    case "write": {
      // Somebody may have made the file since it was looked for.
      const { path, hash } = await files.write(change.path, change.bytes, { mustBeNew: true })
      return () => files.remove(path, { expectHash: hash })
    }
    case "update":
      return update(change, files)
    case "move": {
      const { from, to } = await files.move(change.path, change.to)
      return () => files.move(to, from)
    }
    case "remove": {
      const { path, before } = await files.remove(change.path, expected(change.hash))
      return async () => {
        if (!before) throw new ToolError("unsupported", `Cannot bring back "${path}": it has no content to write`)
        return files.write(path, before)
      }
    }
  }
}

async function update(change: Change & { kind: "update" }, files: Files): Promise<() => Promise<unknown>> {
  const { path, hash, bytes } = change
  let former: Uint8Array = new Uint8Array()
  const receipt = await files.update(path, { maxBytes: maxTextBytes }, (current) => {
    if (current.hash !== hash) throw changed(path)
    former = current.bytes
    return bytes
  })
  return () =>
    files.update(receipt.path, { maxBytes: maxTextBytes }, (current) => {
      if (current.hash !== receipt.hash) throw changed(path)
      return former
    })
}

function expected(hash: string | undefined): { readonly expectHash?: string } {
  return hash === undefined ? {} : { expectHash: hash }
}

function changed(path: string): ToolError {
  return new ToolError("conflict", `Cannot patch "${path}": it was changed by somebody else meanwhile`, {
    hint: "Read the file again",
  })
}

function failed(error: unknown, made: number, stuck: readonly string[]): unknown {
  if (!ToolError.is(error)) return error
  const undone = made === 0 ? "nothing was changed" : "everything before it was taken back"
  const left = `these could not be taken back: ${stuck.map((path) => `"${path}"`).join(", ")}`
  return new ToolError(error.code, `${error.message}; ${stuck.length === 0 ? undone : left}`, {
    cause: error,
    hint: error.steps,
    fix: error.fix,
    details: { ...(error.details as object | undefined), ...(stuck.length > 0 && { not_taken_back: stuck }) },
  })
}
