import { md5 } from "./md5.js"

const separator = "____"
/** Providers take names of up to 64 characters; LobeHub stays below. */
const maxLength = 64

/** The name of an API as LobeHub sends it to models. */
export function lobeName(identifier: string, api: string): string {
  return `${identifier}${separator}${api}`
}

/** The same within the length that providers take: a long API name becomes its hash, then the identifier too. */
export function wireName(name: string): string {
  if (name.length < maxLength) return name
  const [identifier, api] = partsOf(name)
  const short = lobeName(identifier, hashed(api))
  return short.length < maxLength ? short : lobeName(hashed(identifier), hashed(api))
}

/** The identifier and the API of a name. */
export function partsOf(name: string): readonly [identifier: string, api: string] {
  const at = name.indexOf(separator)
  return at < 0 ? [name, ""] : [name.slice(0, at), name.slice(at + separator.length)]
}

function hashed(name: string): string {
  return `MD5HASH_${md5(name).slice(0, 12)}`
}
