/** Times checks of proof files by pools of workers, in Node.js or in a page. */

/** Checks before the first that is timed: workers start, read parameters and compile. */
const WARM_UP = 6

/**
 * Milliseconds of each check by the clock, for each pool and file.
 *
 * @param {{ defineChain: Function, proven: Function, verifyProofFile: Function, startWorkers:
 *   Function, systems: readonly { name: string }[] }} lightproof
 * @param {readonly { id: string, file: any }[]} files
 * @param {{ sizes: readonly number[], runs: number }} how workers of each pool, and timed checks
 * @returns {Promise<{ id: string, size: number, samples: number[] }[]>}
 */
export async function timeChecks(lightproof, files, { sizes, runs }) {
  const found = []
  for (const size of sizes) {
    const workers = lightproof.startWorkers({ size })
    for (const { id, file } of files) {
      const check = checkOf(lightproof, file)
      for (let i = 0; i < WARM_UP; i++) {
        await check()
        // Those who were made ready meanwhile are idle again.
        while (workers.progress.running > 0) await new Promise((next) => setTimeout(next, 5))
      }
      const samples = []
      for (let i = 0; i < runs; i++) {
        const began = performance.now()
        await check()
        samples.push(performance.now() - began)
      }
      found.push({ id, size, samples })
    }
    workers.close()
  }
  return found
}

/**
 * @param {Parameters<typeof timeChecks>[0]} lightproof
 * @param {any} file
 */
function checkOf({ defineChain, proven, verifyProofFile, systems }, file) {
  const { chain, system, config, source } = file
  const pins = { [system]: { format: config.format, paramsDigest: config.paramsDigest } }
  const parameters = {
    anchor: { root: source.root.bytes, system, number: Number(source.root.number) },
    chain: defineChain({ name: 'recorded', ...chain, systems: pins }),
    systems: systems.filter(({ name }) => name === system),
  }
  return async () => proven(await verifyProofFile(file, parameters))
}
