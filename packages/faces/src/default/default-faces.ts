import { Inspector } from "./Inspector.js"
import { Intervention } from "./Intervention.js"
import { Placeholder } from "./Placeholder.js"
import { Portal } from "./Portal.js"
import { Render } from "./Render.js"
import { Streaming } from "./Streaming.js"

/** The faces of every tool that brings none of its own. */
export const defaultFaces = { Inspector, Placeholder, Streaming, Intervention, Render, Portal } as const
