import type { AlteredReport } from './altered.js'
import type { BridgeReport } from './bridge.js'
import type { CallWorkersReport } from './call-workers.js'
import type { CallsReport } from './calls.js'
import type { HeadersReport } from './headers.js'
import type { KeptReport } from './kept.js'
import type { LiesReport } from './lies.js'
import type { MainnetReport } from './mainnet.js'
import type { PoolReport } from './pool.js'
import type { Report, VectorFile } from './run.js'
import type { StoreReport } from './store.js'
import type { SystemReport } from './systems.js'
import type { WindowReport } from './window.js'

type AnyReport =
  | Report
  | AlteredReport
  | BridgeReport
  | CallsReport
  | CallWorkersReport
  | HeadersReport
  | KeptReport
  | LiesReport
  | MainnetReport
  | PoolReport
  | StoreReport
  | SystemReport
  | WindowReport

declare global {
  interface Window {
    /** Set when the page is done. */
    report?: AnyReport | { readonly crash: string }
  }
}

/**
 * The vectors, which the page carries as data: no scenario but the one under test fetches anything.
 */
export function embeddedVectors(): VectorFile {
  const text = document.getElementById('vectors')?.textContent ?? ''
  return JSON.parse(text) as VectorFile
}

/** Hands the report to the test, or whatever went wrong instead. */
export function publish(report: Promise<AnyReport>): void {
  report.then(
    (value) => {
      window.report = value
    },
    (error: unknown) => {
      window.report = { crash: error instanceof Error ? `${error.stack}` : String(error) }
    },
  )
}
