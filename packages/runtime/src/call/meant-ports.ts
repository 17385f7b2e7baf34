import type { FileReader, FileWriter, LanguageServers, Search } from "@haft/contract"
import type { Meanings } from "./ladder/locate-parts.js"

/**
 * The files of a call in which a path means what it was judged as. It is not looked up a second time: a name that appears
 * in the meantime cannot give it another meaning. Paths that a tool made itself mean what they say.
 */
export function meantFiles(files: FileReader & FileWriter, meanings: Meanings): FileReader & FileWriter {
  const meant = (path: string) => meanings.get(path) ?? path
  return {
    ...meantReader(files, meanings),
    write: (path, bytes, options) => files.write(meant(path), bytes, options),
    update: (path, options, change) => files.update(meant(path), options, change),
    remove: (path, options) => files.remove(meant(path), options),
    move: (from, to) => files.move(meant(from), meant(to)),
  }
}

/** The same for reading alone. */
export function meantReader(files: FileReader, meanings: Meanings): FileReader {
  const meant = (path: string) => meanings.get(path) ?? path
  return {
    open: (path) => files.open(meant(path)),
    readAll: (path, options) => files.readAll(meant(path), options),
    stat: (path) => files.stat(meant(path)),
    list: (path, options) => files.list(meant(path), options),
    locate: (path) => files.locate(meant(path)),
    display: (path) => files.display(meant(path)),
  }
}

/** The same for a search. */
export function meantSearch(search: Search, meanings: Meanings): Search {
  return {
    grep: (request) => search.grep(withMeant(request, meanings)),
    glob: (request) => search.glob(withMeant(request, meanings)),
  }
}

/** The same for language servers. */
export function meantLanguages(languages: LanguageServers, meanings: Meanings): LanguageServers {
  return {
    ask: (request) => languages.ask(withMeant(request, meanings)),
    afterWrite: (path) => languages.afterWrite(meanings.get(path) ?? path),
  }
}

function withMeant<Request extends { readonly path?: string }>(request: Request, meanings: Meanings): Request {
  const path = request.path === undefined ? undefined : meanings.get(request.path)
  return path === undefined ? request : { ...request, path }
}
