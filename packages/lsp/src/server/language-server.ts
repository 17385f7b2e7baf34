import { basename } from "node:path"
import { bestEffort, type PathRules, ToolError } from "@haft/contract"
import { ServerProcess, type StartServerOptions } from "@haft/host"
import type { InitializeParams } from "vscode-languageserver-protocol"
import type { ServerSpec } from "../find/server-table.js"
import type { LanguageLimits } from "../limits.js"
import { Connection } from "../wire/connection.js"
import { fileUri, listOf, recordOf, textOf } from "../wire/values.js"
import { Documents } from "./documents.js"
import { PublishedProblems } from "./published-problems.js"

/** A language server that has been greeted and answers. */
export interface LanguageServer {
  /** Name and version as it gives them itself, and whether it runs without a sandbox. */
  readonly name: string
  readonly capabilities: Readonly<Record<string, unknown>>
  readonly connection: Connection
  readonly documents: Documents
  readonly published: PublishedProblems
  /** Settles when it is gone, with the reason when nobody asked for it. */
  readonly gone: Promise<ToolError | undefined>
  /** Ends it when these rules are tighter than its sandbox; resolves to the reason then. */
  obey(rules: PathRules): Promise<string | undefined>
  /** Asks it to end, and ends it. */
  end(): Promise<void>
}

const maxName = 60
// No call may write with it.
const readOnly = { profile: "read-only", hosts: [], approved: [], unconfined: false } as const
// It has nothing to save.
const farewellMs = 300

/** Starts a server in its sandbox and initializes it. Nothing of it is left when this fails. */
export async function startLanguageServer(
  spec: ServerSpec,
  options: Omit<StartServerOptions, "sandbox"> & { readonly limits: LanguageLimits },
): Promise<LanguageServer> {
  const { argv, root, limits, signal } = options
  const shownName = nameOfProgram(argv)
  const running = await ServerProcess.start(`language server "${shownName}"`, { ...options, sandbox: readOnly })
  const published = new PublishedProblems()
  const connection = new Connection({
    name: shownName,
    input: running.input,
    output: running.output,
    answer: serverAnswers(spec, root),
    onNotification: (method, params) => {
      if (method === "textDocument/publishDiagnostics") published.accept(params)
    },
    onBroken: (reason) => void running.end(reason),
  })
  void running.gone.then((reason) => connection.close(reason ?? ended(shownName)))
  try {
    const timeoutMs = limits.initializeMs
    const greeting = recordOf(
      await connection.request("initialize", initializeParams(spec, root), { timeoutMs, signal }),
    )
    connection.notify("initialized", {})
    if (spec.settings) connection.notify("workspace/didChangeConfiguration", { settings: spec.settings })
    return {
      name: nameOf(greeting, { shownName, running }),
      capabilities: recordOf(greeting?.capabilities) ?? {},
      connection,
      documents: new Documents(connection, spec),
      published,
      gone: running.gone,
      obey: (rules) => running.obey(rules),
      end: () => takeLeave(connection, running),
    }
  } catch (error) {
    await running.end()
    throw (await running.gone) ?? error
  }
}

async function takeLeave(connection: Connection, running: ServerProcess): Promise<void> {
  const signal = AbortSignal.timeout(farewellMs)
  await bestEffort("the server is ended in any case", async () => {
    await connection.request("shutdown", undefined, { timeoutMs: farewellMs, signal })
    connection.notify("exit", undefined)
  })
  await running.end()
}

function nameOf(
  greeting: Readonly<Record<string, unknown>> | undefined,
  { shownName, running }: { readonly shownName: string; readonly running: ServerProcess },
): string {
  const { name, version } = recordOf(greeting?.serverInfo) ?? {}
  const words = [textOf(name, maxName) ?? shownName, textOf(version, maxName)].filter((word) => word !== undefined)
  return running.isolation.level === "none" ? `${words.join(" ")}, not confined` : words.join(" ")
}

/** The last part of the program that says something: of `node .../langserver.index.js` that is the script. */
function nameOfProgram(argv: readonly string[]): string {
  const program = argv[0] === process.execPath ? (argv[1] ?? argv[0]) : (argv[0] ?? "")
  return program.split(/[/\\]/).at(-1) ?? program
}

function ended(name: string): ToolError {
  return new ToolError("unavailable", `Cannot ask the language server "${name}": it was ended; try again`)
}

/** The parameters of `initialize`: the folder, and the little that is asked of the server. */
function initializeParams(spec: ServerSpec, root: string): InitializeParams {
  return {
    // Inside a sandbox the number of this process means nothing, and a server that looks for it would end itself.
    processId: null,
    clientInfo: { name: "haft" },
    rootUri: fileUri(root),
    rootPath: root,
    workspaceFolders: workspaceFolders(root),
    ...(spec.initializationOptions !== undefined && { initializationOptions: spec.initializationOptions }),
    capabilities: {
      general: { positionEncodings: ["utf-16"] },
      textDocument: {
        synchronization: { didSave: true },
        hover: { contentFormat: ["plaintext", "markdown"] },
        definition: { linkSupport: true },
        references: {},
        documentSymbol: { hierarchicalDocumentSymbolSupport: true },
        diagnostic: { relatedDocumentSupport: false },
        publishDiagnostics: { versionSupport: true },
      },
      workspace: {
        configuration: true,
        workspaceFolders: true,
        symbol: {},
        // Changes are found by comparing, so that no server has to watch the folders itself.
        didChangeWatchedFiles: { dynamicRegistration: true },
      },
    },
  }
}

/** Answers what servers ask of an editor. Edits and windows are refused: a server's proposals are data, never done. */
function serverAnswers(spec: ServerSpec, root: string) {
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
function workspaceFolders(root: string) {
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
