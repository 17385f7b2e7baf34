import type { FaceArguments, Hunk, InterventionProps } from "@haft/contract"
import {
  ArgumentsEditor,
  DiffView,
  Note,
  Preview,
  PreviewedFile,
  readHunks,
  revertHunks,
  textAt,
  unifiedHunks,
  useWords,
  withoutHunks,
} from "@haft/faces"
import { useEffect, useState } from "react"
import { lineDiff } from "../shared/preview/line-diff.js"
import { words } from "./words.js"

/** A change before it is made: each hunk can be taken or left, and what is left changes the arguments. */
export function ChangeIntervention({ args, request, onArgsChange }: InterventionProps) {
  const own = useWords(words)
  const choice = useHunkChoice(args, request?.preview?.files?.[0]?.hunks)
  const [leftOut, setLeftOut] = useState<ReadonlySet<number>>(new Set())
  const files = request?.preview?.files ?? []
  const choose = (places: ReadonlySet<number>) => {
    setLeftOut(places)
    void onArgsChange?.(places.size === 0 || choice === undefined ? args : choice.without(places))
  }
  const diff = choice && (
    <DiffView
      path={files[0]?.path ?? textAt(args, "file_path") ?? ""}
      hunks={choice.hunks}
      leftOut={leftOut}
      {...(onArgsChange && { onLeaveOut: choose })}
    />
  )
  return (
    <>
      {diff && files.length === 1 ? <PreviewedFile file={files[0]!}>{diff}</PreviewedFile> : diff}
      {request?.preview && <Preview preview={request.preview} {...(diff && { except: "files" as const })} />}
      {choice !== undefined && leftOut.size === choice.hunks.length && <Note tone="warn">{own("noneTaken")}</Note>}
      {leftOut.size === 0 && (
        <ArgumentsEditor args={args} onChange={onArgsChange} except={diff || files.length > 0 ? bodyKeys : []} />
      )}
    </>
  )
}

const bodyKeys = ["content", "old_string", "new_string", "diff", "patch"]

interface HunkChoice {
  readonly hunks: readonly Hunk[]
  /** The arguments of a call that leaves out the hunks at these places. */
  readonly without: (places: ReadonlySet<number>) => FaceArguments
}

/** How a change can be made in parts; undefined where it is all or nothing. */
function useHunkChoice(args: FaceArguments, previewed: readonly Hunk[] | undefined): HunkChoice | undefined {
  const [old, now] = [textAt(args, "old_string"), textAt(args, "new_string")]
  const edited = useEditHunks(old, now)
  const diff = textAt(args, "diff")
  if (diff !== undefined) {
    return { hunks: unifiedHunks(diff), without: (places) => ({ ...args, diff: withoutHunks(diff, places) }) }
  }
  const content = textAt(args, "content")
  if (content !== undefined && previewed !== undefined && previewed.length > 1) {
    const hunks = readHunks(previewed)
    return { hunks, without: (places) => ({ ...args, content: revertHunks(content, hunks, places) }) }
  }
  // One change is taken or left with the whole: then the file itself, with its lines around, shows it best.
  const isShown = edited.length === 1 && previewed !== undefined && previewed.length > 0
  if (now === undefined || edited.length === 0 || isShown) return undefined
  return { hunks: edited, without: (places) => ({ ...args, new_string: revertHunks(now, edited, places) }) }
}

/** Where the old and the new text of an edit differ. */
function useEditHunks(old: string | undefined, now: string | undefined): readonly Hunk[] {
  const [hunks, setHunks] = useState<readonly Hunk[]>([])
  useEffect(() => {
    let isWanted = true
    if (old !== undefined && now !== undefined) {
      void lineDiff(old, now).then((found) => isWanted && setHunks(found.hunks))
    }
    return () => {
      isWanted = false
    }
  }, [old, now])
  return hunks
}
