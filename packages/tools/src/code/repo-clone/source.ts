import { ToolError } from "@haft/contract"

/** Where a repository is copied from. */
export type Source =
  | {
      readonly kind: "web"
      readonly url: string
      readonly scheme: "http" | "https"
      readonly host: string
      readonly port: number
    }
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "refused"; readonly reason: string; readonly code: "invalid_args" | "unsupported" }

/** Reads an address; what is refused says why, so that a call can be judged before it fails. */
export function parseSource(url: string): Source {
  if (/[\0-\x1f\x7f]/.test(url) || url.startsWith("-")) return refused("it is no address; use https://host/path")
  if (/^file:/i.test(url)) return fileSource(url)
  if (/^https?:\/\//i.test(url)) return webSource(url)
  if (/^[A-Za-z][A-Za-z0-9+.-]*::/.test(url)) return refused("it names a program; use https://host/path")
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(url)) return /ssh/i.test(url.split(":")[0]!) ? overSsh : unsupported
  // A colon before the first slash is how ssh is written without a scheme; a Windows drive is one letter.
  if (/^[^/\\]{2,}:/.test(url)) return overSsh
  return { kind: "folder", path: url }
}

/** The folder of a clone whose caller names none. */
export function defaultPath(url: string): string {
  const words = url
    .replace(/[?#].*$/s, "")
    .split(/[/\\:]/)
    .filter((word) => word !== "" && word !== ".git")
  const name = (words.at(-1) ?? "").replace(/\.git$/, "")
  return name === "" || /^\.+$/.test(name) ? "repository" : `./${name}`
}

/** The error that a refused address ends with. */
export function refusal(url: string, { code, reason }: Extract<Source, { kind: "refused" }>): ToolError {
  return new ToolError(code, `Cannot clone "${url.replace(/\/\/[^/]*@/, "//").slice(0, 200)}": ${reason}`)
}

function webSource(text: string): Source {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || url.hostname === "") return refused("it is no address; use https://host/path")
  if (url.username !== "" || url.password !== "") {
    return refused("it has credentials in it, which would be kept in .git/config; leave them out")
  }
  if (url.search !== "" || url.hash !== "") return refused("it has a query; leave out what follows ? or #")
  const scheme = url.protocol === "http:" ? "http" : "https"
  const port = url.port === "" ? (scheme === "http" ? 80 : 443) : Number(url.port)
  // What was judged is what is fetched: git gets the address as it was understood here.
  return { kind: "web", url: url.href, scheme, host: url.hostname, port }
}

function fileSource(text: string): Source {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || url.hostname !== "" || !text.toLowerCase().startsWith("file:///")) {
    return refused("it names no folder; use file:///folder")
  }
  try {
    const path = decodeURIComponent(url.pathname)
    return path.includes("\0") ? refused("it names no folder") : { kind: "folder", path }
  } catch {
    return refused("it names no folder; write % as %25")
  }
}

const unsupported: Source = {
  kind: "refused",
  code: "unsupported",
  reason: "only http, https and file addresses can be cloned; use the https address of the repository",
}

const overSsh: Source = {
  kind: "refused",
  code: "unsupported",
  reason: "there are no keys for ssh here; use the https address of the repository",
}

function refused(reason: string): Source {
  return { kind: "refused", code: "invalid_args", reason }
}
