export { type ListedServer, listServers } from "./find/list-servers.js"
export { createLanguageServers, type LanguageServersOptions } from "./language-servers.js"
