import type { ApiTool, Locale, ToolKind } from "@haft/contract"
import {
  BookOpen,
  FilePen,
  FileSearch,
  FileText,
  FileX,
  FolderInput,
  Globe,
  type LucideIcon,
  SquareTerminal,
  Wrench,
} from "lucide-react"

const icons: Readonly<Record<ToolKind, LucideIcon>> = {
  read: FileText,
  edit: FilePen,
  delete: FileX,
  move: FolderInput,
  search: FileSearch,
  execute: SquareTerminal,
  think: BookOpen,
  fetch: Globe,
  other: Wrench,
}

/** The picture of what a tool does. */
export function ToolIcon({ kind, size = 15 }: { kind: ToolKind; size?: number }) {
  const Icon = icons[kind]
  return <Icon size={size} aria-hidden />
}

/** What a tool does, for people; where it has no such words, what models read. */
export function toolSummary(tool: Pick<ApiTool, "messages" | "description">, language: Locale): string {
  return tool.messages[language]?.summary ?? tool.description
}

/** What people call a tool. */
export function toolTitle(tool: Pick<ApiTool, "messages" | "title">, language: Locale): string {
  return tool.messages[language]?.title ?? tool.title
}
