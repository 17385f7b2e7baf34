/** Whether a promise settles, either way, within a time. */
export async function endsWithin(promise: Promise<unknown>, timeMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const settled = promise.then(
    () => true,
    () => true,
  )
  const passed = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, timeMs, false)
  })
  try {
    return await Promise.race([settled, passed])
  } finally {
    clearTimeout(timer)
  }
}
