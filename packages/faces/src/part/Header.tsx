import { type FaceProps, firstLine, type ToolKind } from "@haft/contract"
import {
  Brain,
  FilePenLine,
  FileText,
  FolderInput,
  Globe,
  type LucideIcon,
  Search,
  SquareTerminal,
  Trash2,
  Wrench,
} from "lucide-react"
import type { ReactNode } from "react"
import { labelText } from "../text/visible.js"
import { useSay } from "../words/say.js"
import { PlainText } from "./PlainText.js"

const icons: Readonly<Record<ToolKind, LucideIcon>> = {
  read: FileText,
  edit: FilePenLine,
  delete: Trash2,
  move: FolderInput,
  search: Search,
  execute: SquareTerminal,
  think: Brain,
  fetch: Globe,
  other: Wrench,
}

interface HeaderProps extends Pick<FaceProps, "kind" | "words" | "apiName" | "identifier"> {
  /** What the call is about: a path, a command. */
  readonly subject?: string
  /** The call goes on: the title says so in words, and pulses where motion is welcome. */
  readonly pulsing?: boolean
  /** Chips with counts and the like; only for what is known. */
  readonly children?: ReactNode
}

/** One line that names a call: what is done, with what, and what came of it. */
export function Header({ kind, words, apiName, identifier, subject, pulsing = false, children }: HeaderProps) {
  const say = useSay()
  const Icon = icons[kind] ?? Wrench
  return (
    <span className="haft-header">
      <Icon aria-hidden className="haft-kind" />
      <span className={pulsing ? "haft-title haft-pulsing" : "haft-title"}>
        {pulsing ? words.loading : words.title}
      </span>
      {subject !== undefined && subject !== "" && (
        <code className="haft-subject" title={labelText(subject)}>
          <PlainText text={firstLine(subject)} max={300} />
        </code>
      )}
      {children}
      {apiName !== identifier && <span className="haft-dim">{say("calledAs", { name: labelText(apiName) })}</span>}
    </span>
  )
}

/** A short fact in a header. */
export function Chip({ tone, children }: { readonly tone?: "good" | "warn" | "bad"; readonly children: ReactNode }) {
  return (
    <span className="haft-chip" data-tone={tone}>
      {typeof children === "string" ? <PlainText text={children} max={100} /> : children}
    </span>
  )
}
