import { ToolError } from "@haft/contract"
import { expect } from "vitest"

/** The ToolError that the work ends with; a test fails when it ends otherwise. */
export async function failure(running: Promise<unknown>): Promise<ToolError> {
  const error = await running.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(ToolError.is(error), String(error)).toBe(true)
  return error as ToolError
}
