import {
  Blocks,
  BookOpen,
  Box,
  Images,
  ListVideo,
  type LucideIcon,
  MessageSquare,
  Play,
  Server,
  Settings,
  ShieldCheck,
} from "lucide-react"
import { type ComponentType, type LazyExoticComponent, lazy } from "react"

/** One screen of the page: its first part of the path, its key after `g`, and its code, which loads when it is opened. */
export interface Screen {
  readonly name: ScreenName
  readonly key: string
  readonly icon: LucideIcon
  readonly Component: LazyExoticComponent<ComponentType>
}

export type ScreenName =
  | "run"
  | "chat"
  | "sessions"
  | "permissions"
  | "servers"
  | "skills"
  | "sandbox"
  | "gallery"
  | "settings"

/** The screens in the order of the rail. */
export const screens: readonly Screen[] = [
  { name: "run", key: "r", icon: Play, Component: lazy(() => import("../screens/run/run-screen.js")) },
  { name: "chat", key: "c", icon: MessageSquare, Component: lazy(() => import("../screens/chat/chat-screen.js")) },
  {
    name: "sessions",
    key: "s",
    icon: ListVideo,
    Component: lazy(() => import("../screens/sessions/sessions-screen.js")),
  },
  {
    name: "permissions",
    key: "p",
    icon: ShieldCheck,
    Component: lazy(() => import("../screens/permissions/permissions-screen.js")),
  },
  { name: "servers", key: "v", icon: Server, Component: lazy(() => import("../screens/servers/servers-screen.js")) },
  { name: "skills", key: "k", icon: BookOpen, Component: lazy(() => import("../screens/skills/skills-screen.js")) },
  { name: "sandbox", key: "b", icon: Box, Component: lazy(() => import("../screens/sandbox/sandbox-screen.js")) },
  { name: "gallery", key: "a", icon: Images, Component: lazy(() => import("../screens/gallery/gallery-screen.js")) },
  {
    name: "settings",
    key: "e",
    icon: Settings,
    Component: lazy(() => import("../screens/settings/settings-screen.js")),
  },
]

/** The mark of the page itself. */
export const HaftIcon = Blocks
