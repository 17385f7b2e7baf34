import { ToolError } from "@haft/contract"

/** The value, or an error when it takes longer than this. */
export async function within<Value>(ms: number, value: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ToolError("timeout", `The editor did not answer within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([value, late])
  } finally {
    clearTimeout(timer)
  }
}
