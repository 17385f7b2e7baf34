// Puts the declarations of all packages into one folder. An import from a package of ours becomes a path to the very file
// that declares the name, so that only what the entries reach is copied.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"

/** Copies the declarations that these entries reach; that of `PACKAGE/FILE` becomes `target/PACKAGE/FILE.d.ts`. */
export function copyTypes({ root, target, entries }) {
  rmSync(target, { recursive: true, force: true })
  const read = (file) => readFileSync(join(root, "packages", file.replace("/", "/dist/")), "utf8")
  const waiting = entries.map((entry) => `${entry}.d.ts`)
  const seen = new Set()
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    const follow = (found) => {
      waiting.push(found)
      const way = relative(dirname(file), found).replace(/\.d\.ts$/, ".js")
      return JSON.stringify(way.startsWith(".") ? way : `./${way}`)
    }
    const text = withPaths(read(file), { file, read, follow })
    mkdirSync(dirname(join(target, file)), { recursive: true })
    writeFileSync(join(target, file), text.replace(/^\/\/# sourceMappingURL=.*\n?/gm, ""))
  }
}

function withPaths(source, { file, read, follow }) {
  const named = source.replace(
    /^(import|export)( type)? \{([^}]*)\} from "([^"\n]+)";?/gm,
    (statement, word, type = "", names, path) => {
      const target = declarationOf(file, path)
      if (target === undefined) return statement
      return names
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "")
        .map((name) => {
          const declared = name.replace(/^type /, "").split(" as ")[0]
          return `${word}${type} { ${name} } from ${follow(declaredIn(target, declared, read) ?? target)};`
        })
        .join("\n")
    },
  )
  return named.replace(/(\bfrom |\bimport\()"([^"\n]+)"/g, (whole, word, path) => {
    const target = path.startsWith(".") || path.startsWith("@haft/") ? declarationOf(file, path) : undefined
    return target === undefined || isDone(path) ? whole : `${word}${follow(target)}`
  })

  /** What the first step wrote are paths in the new folder. */
  function isDone(path) {
    return path.startsWith(".") && !exists(declarationOf(file, path), read)
  }
}

/** The file that declares a name which this file exports, itself or from others; undefined where it exports no such name. */
function declaredIn(file, name, read) {
  const source = read(file)
  const own = new RegExp(
    `^export (?:declare )?(?:abstract )?(?:const|function|interface|type|class|enum) ${name}\\b`,
    "m",
  )
  if (own.test(source)) return file
  for (const [, names, path] of source.matchAll(/^export (?:type )?\{([^}]*)\} from "([^"\n]+)"/gm)) {
    const found = names.split(",").map((each) => each.trim().replace(/^type /, ""))
    if (found.includes(name)) return declaredIn(declarationOf(file, path), name, read)
  }
  for (const [, path] of source.matchAll(/^export \* from "([^"\n]+)"/gm)) {
    const target = declarationOf(file, path)
    const found = target === undefined ? undefined : declaredIn(target, name, read)
    if (found !== undefined) return found
  }
  return undefined
}

function exists(file, read) {
  try {
    return read(file) !== undefined
  } catch {
    return false
  }
}

/** The place of a declaration of ours, as PACKAGE/path; undefined for those of others. */
function declarationOf(file, specifier) {
  if (specifier.startsWith(".")) return resolve("/", dirname(file), specifier).slice(1).replace(/\.js$/, ".d.ts")
  const own = /^@haft\/([^/]+)(?:\/(.+)\.js)?$/.exec(specifier)
  return own === null ? undefined : `${own[1]}/${own[2] ?? "index"}.d.ts`
}
