import type { ApiAnswerResult, AskAnswer } from "@haft/contract"
import type { Hono } from "hono"
import { kinds } from "../access/body.js"
import { type App, bodyOf, json } from "./route.js"
import { ruleIn } from "./shapes.js"

const answers = [
  "once",
  "session",
  "project",
  "accept-edits",
  "reject",
  "edit",
] as const satisfies readonly AskAnswer["answer"][]

/** Permission asks and questions that wait for somebody. */
export function askRoutes(hono: Hono, { inbox }: App): void {
  hono.get("/api/asks", (context) => json(context, inbox.list()))

  hono.post("/api/asks/:id", async (context) => {
    const given = await bodyOf(
      context,
      {
        answer: kinds.oneOf(answers),
        reason: kinds.text,
        args: kinds.any,
        rule: ruleIn,
        answers: kinds.answers,
        from: kinds.text,
      },
      16 * 1024 * 1024,
    )
    inbox.answer(context.req.param("id"), given)
    return json(context, { taken: true } satisfies ApiAnswerResult)
  })
}
