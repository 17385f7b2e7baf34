import { ToolError } from "@haft/contract"
import type { ServerSpec } from "../find/server-spec.js"
import type { LanguageLimits } from "../limits.js"
import { type Connection, createConnection } from "../wire/connection.js"
import { recordOf, textOf } from "../wire/shape.js"
import { createDocuments, type Documents } from "./documents.js"
import { initializeParams } from "./initialize-params.js"
import { createPublishedProblems, type PublishedProblems } from "./published-problems.js"
import { serverAnswers } from "./server-answers.js"
import { type ServerProcess, type StartServerOptions, startServerProcess } from "./server-process.js"

/** A language server that has been greeted and answers. */
export interface LanguageServer {
  /** Name and version as it gives them itself, and whether it runs without a wall. */
  readonly name: string
  readonly capabilities: Readonly<Record<string, unknown>>
  readonly connection: Connection
  readonly documents: Documents
  readonly published: PublishedProblems
  /** Settles when it is gone, with the reason when nobody asked for it. */
  readonly gone: Promise<ToolError | undefined>
  /** Ends it when these rules are tighter than its wall; resolves to the reason then. */
  readonly obey: ServerProcess["obey"]
  /** Asks it to end, and ends it. */
  end(): Promise<void>
}

const maxName = 60
// It has nothing to save.
const farewellMs = 300

/** Starts a server behind the wall and greets it. What it starts is gone again when this fails. */
export async function startLanguageServer(
  spec: ServerSpec,
  options: StartServerOptions & { readonly limits: LanguageLimits },
): Promise<LanguageServer> {
  const { argv, root, limits, signal } = options
  const shownName = nameOfProgram(argv)
  const running = await startServerProcess(shownName, options)
  const published = createPublishedProblems()
  const connection = createConnection({
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
      documents: createDocuments(connection, spec),
      published,
      gone: running.gone,
      obey: running.obey,
      end: () => takeLeave(connection, running),
    }
  } catch (error) {
    await running.end()
    throw (await running.gone) ?? error
  }
}

async function takeLeave(connection: Connection, running: ServerProcess): Promise<void> {
  const signal = AbortSignal.timeout(farewellMs)
  try {
    await connection.request("shutdown", undefined, { timeoutMs: farewellMs, signal })
    connection.notify("exit", undefined)
  } catch {
    // It is ended in any case.
  }
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
