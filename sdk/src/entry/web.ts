/**
 * Entry for browsers and workers: fetches the wasm from the URL beside it, and verifies in workers
 * where it is a page's.
 */

import '../wasm/fromUrls.js'
import { workByDefault } from '../workers/byDefault.js'

// Workers and service workers are off the main thread already.
if (typeof document === 'object' && typeof Worker === 'function') {
  workByDefault(() => import('./workersWeb.js'))
}

export { indexedDbStore } from '../store/indexedDb.js'
export * from './index.js'
