import type { CallPart } from "../effect.js"
import type { Content, Envelope } from "../envelope.js"
import type { Ladder } from "../ladder.js"
import type { AnyManifest, ToolMessages } from "../manifest.js"
import type { AskPreview } from "../preview.js"
import type { RequirementSet } from "../requirement.js"

/** What every failed request answers with; the status says which kind it is. */
export interface ApiError {
  readonly error: {
    readonly code: string
    readonly message: string
    readonly hint?: string
    readonly details?: unknown
  }
}

/** `GET /api/tools`: every tool that sessions here can call. */
export interface ApiTool {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly messages: ToolMessages
  readonly kind: AnyManifest["kind"]
  readonly tier: AnyManifest["tier"]
  readonly toolset?: string
  /** True for a tool that a skill or an MCP server brings. */
  readonly foreign: boolean
  readonly requires: RequirementSet
  readonly retry: AnyManifest["retry"]
  readonly timeoutMs: number
  readonly limit: AnyManifest["limit"]
  readonly input_schema: Readonly<Record<string, unknown>>
  readonly output_schema: Readonly<Record<string, unknown>>
}

/** `GET /api/tools/:id`: one tool with everything about it. */
export interface ApiToolDetail extends ApiTool {
  /** Calls that the tool comes with, for forms. */
  readonly examples: readonly { readonly name: string; readonly input: unknown }[]
  /** The definition as each provider or protocol takes it, by format. */
  readonly definitions: Readonly<Record<string, unknown>>
  /** The names that other systems know it by. */
  readonly dialects: readonly { readonly dialect: string; readonly name: string }[]
}

/** `POST /api/sessions/:id/calls` and `.../explain`. */
export interface ApiCallRequest {
  readonly tool: string
  readonly args: unknown
  /** Names the call before it runs, so that its events are recognised: `call_` and 8 to 64 letters or digits. */
  readonly callId?: string
  /** True for an `ApiCallResult` instead of the envelope alone. */
  readonly detail?: boolean
  /** Name and arguments are those of this system. */
  readonly dialect?: string
}

/** A call with everything that faces draw. Without `detail` the answer is `envelope`. */
export interface ApiCallResult {
  readonly callId: string
  readonly envelope: Envelope
  readonly model: ApiModelView
  /** For faces only: for instance the hunks of an edit. */
  readonly state?: unknown
  readonly attachments: readonly { readonly mediaType: string; readonly data: string; readonly name?: string }[]
  /** The result as the named dialect has it. */
  readonly projection?: { readonly value: unknown; readonly success: boolean; readonly text: string }
}

/** What a model reads of a result: word for word, with what it costs and what it misses. */
export interface ApiModelView {
  readonly content: readonly Content[]
  /** An estimate. */
  readonly tokens: number
  /** What the limit left out; absent where the model got everything. */
  readonly leftOut?: {
    /** How many characters more the whole text has, where that is known. */
    readonly characters?: number
    /** Where the whole is, for the tool `read`, until the session closes. */
    readonly path?: string
  }
}

/** The ladder of a call that did not run. */
export interface ApiExplanation {
  readonly tool: string
  /** The arguments as the tool would get them. */
  readonly arguments: unknown
  readonly ladder: Ladder
  readonly parts: readonly CallPart[]
  readonly hosts?: readonly string[]
  readonly preview?: AskPreview
  readonly hint?: string
  readonly fix?: string
}
