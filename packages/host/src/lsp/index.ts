export { createLanguageServers } from "./create-language-servers.js"
export { type ListedServer, listServers } from "./find/list-servers.js"
export { noteWrites } from "./note-writes.js"
