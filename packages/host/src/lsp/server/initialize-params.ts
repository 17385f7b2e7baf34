import type { ServerSpec } from "../find/server-spec.js"
import { fileUri } from "../wire/file-uri.js"
import { workspaceFolders } from "./server-answers.js"

/** What a server is told at its start: the folder and the little that is asked of it. */
export function initializeParams(spec: ServerSpec, root: string) {
  return {
    // Behind a wall the number of this process means nothing, and a server that looks for it would end itself.
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
