// A call that asks keeps its connection until somebody answers, and the answer needs a connection too.
const slots = 2

/** Runs the work while one of the few connections for calls is ours, over all tabs of the browser. */
export async function withCallSlot<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
  for (let slot = 0; slot < slots; slot++) {
    const taken = await navigator.locks.request(`haft.call.${slot}`, { ifAvailable: true }, async (lock) =>
      lock ? { result: await work() } : undefined,
    )
    if (taken) return taken.result
  }
  const last = `haft.call.${Math.floor(Math.random() * slots)}`
  return navigator.locks.request(last, { ...(signal && { signal }) }, work)
}
