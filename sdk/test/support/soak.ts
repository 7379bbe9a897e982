/** Searches that last as long as they are told to. */

/** Turns where no time is given: a test of every run, and not a search. */
const TURNS = 60

/** Does it once a seed, from `LIGHTPROOF_SOAK_SEED` or 0 on, for `LIGHTPROOF_SOAK_SECONDS`. */
export async function soak(turn: (seed: number) => Promise<void>): Promise<void> {
  const seconds = process.env['LIGHTPROOF_SOAK_SECONDS']
  // Not `Date`, which a test may set.
  const end = performance.now() + Number(seconds ?? 0) * 1000
  const first = Number(process.env['LIGHTPROOF_SOAK_SEED'] ?? 0)
  for (let done = 0; seconds === undefined ? done < TURNS : performance.now() < end; done++) {
    await turn(first + done)
  }
}
