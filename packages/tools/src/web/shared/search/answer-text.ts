import type { HttpResponse } from "@haft/contract"

/** The body of an answer as text, in the charset of its header. */
export function answerText({ headers, body }: HttpResponse): string {
  const charset = /charset\s*=\s*"?([\w-]+)/i.exec(headers["content-type"] ?? "")?.[1] ?? "utf-8"
  try {
    return new TextDecoder(charset).decode(body)
  } catch {
    return new TextDecoder().decode(body)
  }
}
