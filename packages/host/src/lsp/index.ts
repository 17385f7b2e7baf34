export { createLanguageServers } from "./create-language-servers.js"
export { noteWrites } from "./note-writes.js"
