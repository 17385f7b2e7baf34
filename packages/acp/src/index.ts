export type { EditorHost, EditorSession, ListedSession, OpenRequest, SessionPage } from "./editor-host.js"
export { type ServeOptions, serveEditor } from "./serve-editor.js"
