import type {
  DefinitionParams,
  DidChangeConfigurationParams,
  DidChangeTextDocumentParams,
  DidChangeWatchedFilesParams,
  DidCloseTextDocumentParams,
  DidOpenTextDocumentParams,
  DocumentDiagnosticParams,
  DocumentSymbolParams,
  HoverParams,
  InitializedParams,
  InitializeParams,
  ReferenceParams,
  WorkspaceSymbolParams,
} from "vscode-languageserver-protocol"

/** The requests that Haft sends, with their parameters. What comes back is never trusted to have a shape. */
export interface Requests {
  readonly initialize: InitializeParams
  readonly shutdown: undefined
  readonly "textDocument/definition": DefinitionParams
  readonly "textDocument/references": ReferenceParams
  readonly "textDocument/hover": HoverParams
  readonly "textDocument/documentSymbol": DocumentSymbolParams
  readonly "textDocument/diagnostic": DocumentDiagnosticParams
  readonly "workspace/symbol": WorkspaceSymbolParams
}

/** The notifications that Haft sends, with their parameters. */
export interface Notifications {
  readonly initialized: InitializedParams
  readonly exit: undefined
  readonly "textDocument/didOpen": DidOpenTextDocumentParams
  // clangd says nothing again about a text that it has seen, unless it is asked to.
  readonly "textDocument/didChange": DidChangeTextDocumentParams & { readonly forceRebuild: true }
  readonly "textDocument/didClose": DidCloseTextDocumentParams
  readonly "workspace/didChangeConfiguration": DidChangeConfigurationParams
  readonly "workspace/didChangeWatchedFiles": DidChangeWatchedFilesParams
}
