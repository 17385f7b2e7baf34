import { type HttpRequest, type SkillBackend, ToolError } from "@haft/contract"
import { encoded, fillBody, fillTemplate, type Values } from "./fill-template.js"

type HttpBackend = Extract<SkillBackend, { readonly type: "http" }>

/** The request of a call: arguments fill path, query and body; host, method and headers are those of the skill. */
export function requestOf(
  backend: HttpBackend,
  values: Values,
): Pick<HttpRequest, "url" | "method" | "headers" | "body"> {
  const { url, method, headers, bodyTemplate } = backend
  const [, origin = "", path = "", query = ""] = /^(https?:\/\/[^/?#\\]+)([^?#]*)(\?[^#]*)?/is.exec(url) ?? []
  const filled = fillTemplate(path, values, encoded)
  checkSegments(filled)
  const address = `${origin}${filled}${fillTemplate(query, values, encoded)}`
  if (new URL(address).host !== new URL(origin).host) throw refused("its host would change")
  const contentType = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1]
  const body = bodyOf(method, bodyTemplate, values, contentType)
  const typed = body === undefined || contentType !== undefined || bodyTemplate !== undefined
  return {
    url: address,
    method,
    headers: typed ? headers : { ...headers, "content-type": "application/json" },
    ...(body === undefined ? {} : { body }),
  }
}

function bodyOf(
  method: string,
  template: string | undefined,
  values: Values,
  contentType: string | undefined,
): string | undefined {
  if (template !== undefined) return fillBody(template, values, contentType ?? "")
  return /^(?:POST|PUT|PATCH)$/.test(method) ? JSON.stringify(values) : undefined
}

/** A value must not select another path of the host: servers and URL parsers resolve dot segments, encoded ones too. */
function checkSegments(path: string): void {
  const segments = path.replace(/%2e/gi, ".").split(/[/\\]|%2f|%5c/i)
  if (segments.some((segment) => segment === "." || segment === "..")) throw refused('a value may not be "." or ".."')
}

function refused(reason: string): ToolError {
  return new ToolError("invalid_args", `Cannot send the request: ${reason}`)
}
