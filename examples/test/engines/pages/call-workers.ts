/**
 * Calls in a page's worker: `?node=…&chainId=…&genesis=…&anchor=…&to=…&owner=…`, the last two a
 * token and who holds some.
 */

import { createClient, defineChain, proven } from 'lightproof'
import { calls, getErc20Balance } from 'lightproof/evm'
import { startWorkers, type WorkerOptions, type Workers } from 'lightproof/workers'
import { calls as loads } from './probe.js'
import { publish } from './publish.js'

/** How it went. */
export interface CallWorkersReport {
  /** Of the owner: before, and after a worker was ended. */
  readonly balances: readonly string[]
  /** What the calls that do not end were rejected with. */
  readonly reason: string
  /** Workers that were started and ended when the calls were rejected, and a while later. */
  readonly workers: readonly { readonly started: number; readonly ended: number }[]
  /** What the page's own thread loaded of modules. */
  readonly loads: typeof loads
}

publish(run())

async function run(): Promise<CallWorkersReport> {
  const query = new URLSearchParams(location.search)
  const text = (name: string): string => query.get(name) ?? ''
  const client = createClient({
    chain: defineChain({
      name: 'test',
      kind: 'ethereum',
      chainId: Number(text('chainId')),
      genesisHash: text('genesis'),
      forks: [{ rules: 'paris', block: 0 }],
    }),
    anchor: { block: text('anchor') },
    nodes: [text('node')],
  })
  const count = { started: 0, ended: 0 }
  let ended = (): void => undefined
  const isEnded = new Promise<void>((resolve) => {
    ended = resolve
  })
  const create = (): Worker => {
    count.started++
    const worker = new Worker(new URL('../workers/web.js', import.meta.url), { type: 'module' })
    const terminate = worker.terminate.bind(worker)
    worker.terminate = () => {
      count.ended++
      terminate()
      ended()
    }
    return worker
  }
  // The tests' types are those of Node.js.
  const start = startWorkers as (
    options: WorkerOptions & { readonly create: () => Worker },
  ) => Workers
  start({ size: 1, create })
  const [token, owner] = [text('to'), text('owner')]
  const balance = async (): Promise<string> =>
    proven(await getErc20Balance(client, { token, owner })).toString()
  const before = await balance()
  const abort = new AbortController()
  setTimeout(() => abort.abort(new Error('left')), 1_500)
  // Loops, for about a minute.
  const endless = calls(client, {
    calls: Array.from({ length: 60 }, () => ({ to: token, gas: 2n ** 26n })),
    stateOverride: { [token]: { code: '0x5b600056' } },
    signal: abort.signal,
  })
  const reason = await endless.then(
    ({ status }) => status,
    (error: Error) => error.message,
  )
  const atOnce = { ...count }
  await isEnded
  const after = { ...count }
  const balances = [before, await balance()]
  return { balances, reason, workers: [atOnce, after, count], loads: { ...loads } }
}
