/** Notes, in a page or in Node.js, when each step of a start is over. */

/** @typedef {typeof STEPS[number]} Step */
/** @typedef {Record<Step, number>} Times milliseconds */

/** What a start waits for, in the order in which parts are named. */
export const STEPS = /** @type {const} */ (['program', 'fetch', 'compile', 'answers', 'proof'])

/**
 * What each step takes longer than all before it: steps that run at once are counted once, so the
 * parts sum up to the whole.
 *
 * @param {Partial<Times>} ends when each step is over; a step that the start has not is left out
 * @returns {Times}
 */
export function partsOf(ends) {
  let latest = 0
  const parts = STEPS.map((step) => {
    const end = ends[step] ?? 0
    const part = Math.max(0, end - latest)
    latest = Math.max(latest, end)
    return [step, part]
  })
  if (latest !== ends.proof) throw new Error('a step ends after the proof')
  return Object.fromEntries(parts)
}

/**
 * Watches from here on. The program is loaded by now.
 *
 * @returns {{ note: (step: Step) => void, fetch: typeof fetch, ends: () => Partial<Times> }} what
 *   notes a step, what notes answers and may be given to a client, and the times, once the answer is
 *   proven
 */
export function watch() {
  /** @type {Partial<Times>} */
  const ends = { program: performance.now() }
  /** @param {Step} step */
  const note = (step) => {
    ends[step] = performance.now()
  }
  for (const name of /** @type {const} */ (['compileStreaming', 'instantiate'])) {
    const own = /** @type {(...args: unknown[]) => Promise<unknown>} */ (WebAssembly[name])
    const watched = async (/** @type {unknown[]} */ ...args) => {
      // Node.js instantiates modules of its own for `fetch`, which it has compiled before.
      if (args[0] instanceof WebAssembly.Module) return own.apply(WebAssembly, args)
      note('fetch')
      const made = await own.apply(WebAssembly, args)
      note('compile')
      return made
    }
    Object.assign(WebAssembly, { [name]: watched })
  }
  return {
    note,
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      note('answers')
      return response
    },
    ends: () => {
      note('proof')
      for (const entry of performance.getEntriesByType('resource')) {
        const { name, responseEnd = 0 } = /** @type {{ name: string, responseEnd?: number }} */ (
          entry
        )
        if (!name.endsWith('.wasm')) continue
        // An engine may tell this time more exactly than the page's clock, which lags then.
        ends.fetch = Math.min(Math.max(ends.fetch ?? 0, responseEnd), ends.proof ?? 0)
      }
      return ends
    },
  }
}
