/** The worker's side: it does jobs one after another. */

import { doJob } from '../proving/engine.js'
import { isTrap } from '../proving/failures.js'
import { InputError } from '../result/errors.js'
import { setWasm } from '../wasm/module.js'
import type { Order, Report } from './messages.js'

type Modules = Extract<Order, { readonly wasm: unknown }>['wasm']

/** One that was loaded here meanwhile stays. */
function take(wasm: Modules): void {
  for (const [name, source] of Object.entries(wasm)) {
    try {
      setWasm({ [name]: source })
    } catch (error) {
      if (!(error instanceof InputError)) throw error
    }
  }
}

/** Takes orders, and posts a report for each job. */
export function serveJobs(post: (report: Report) => void): (order: Order) => void {
  return (order) => {
    if ('wasm' in order) {
      take(order.wasm)
      return
    }
    const { id, job } = order
    doJob(job).then(
      (done) => post({ id, done }),
      (error: unknown) => post({ id, error: String(error), isTrap: isTrap(error) }),
    )
  }
}
