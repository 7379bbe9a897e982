/**
 * What blocks hold beside state, as an extension of every provider: its code is loaded when it is
 * first asked.
 */

import { loadPart } from '../../wasm/part.js'
import type { ExtensionMethod, ProviderExtension } from '../extension.js'
import type { FilterStore } from './filters.js'

const TRANSACTIONS = 'the block, by the root of its transactions, rebuilt'
const RECEIPTS = 'the block, by the root of its receipts, rebuilt'
const LOGS = 'all logs of the filter and that there are no others, by blooms and receipts'
const HEADER = 'the header, by its hash'
const BLOCK = 'the header, by its hash, and its lists, by their roots'
const OF_FILTERS: ExtensionMethod = { proves: LOGS, isOwn: true }

const METHODS: Readonly<Record<string, ExtensionMethod>> = {
  eth_getBlockByNumber: { proves: BLOCK },
  eth_getBlockByHash: { proves: BLOCK },
  eth_getHeaderByNumber: { proves: HEADER },
  eth_getHeaderByHash: { proves: HEADER },
  eth_getBlockTransactionCountByNumber: { proves: TRANSACTIONS },
  eth_getBlockTransactionCountByHash: { proves: TRANSACTIONS },
  eth_getUncleCountByBlockNumber: { proves: 'the header: there are none' },
  eth_getUncleCountByBlockHash: { proves: 'the header: there are none' },
  eth_getTransactionByHash: {
    proves: `${TRANSACTIONS}; of one that waits, its bytes, by its hash`,
  },
  eth_getTransactionByBlockNumberAndIndex: { proves: TRANSACTIONS },
  eth_getTransactionByBlockHashAndIndex: { proves: TRANSACTIONS },
  eth_getTransactionReceipt: { proves: RECEIPTS },
  eth_getBlockReceipts: { proves: RECEIPTS },
  eth_getLogs: { proves: LOGS },
  eth_newFilter: OF_FILTERS,
  eth_newBlockFilter: { proves: 'the headers, by their hashes', isOwn: true },
  eth_getFilterChanges: OF_FILTERS,
  eth_getFilterLogs: OF_FILTERS,
  eth_uninstallFilter: OF_FILTERS,
  eth_getTransactionCount: {
    proves: 'the account, under the block; for pending, raised by what this client sent',
  },
  eth_gasPrice: { proves: "the next block's base fee, and tips of proven transactions" },
  eth_maxPriorityFeePerGas: { proves: 'tips of proven transactions' },
  eth_feeHistory: { proves: 'the headers, and for rewards their receipts; nothing of blobs' },
}

/** The extension, with filters of its own. */
export function blocks(): ProviderExtension {
  const filters: FilterStore = new Map()
  return {
    methods: METHODS,
    handle: async (method, ask) => {
      const { handle } = await loadPart(() => import('./handle.js'))
      return handle(method, ask, filters)
    },
    subscriptions: {
      logs: (ask, tell) => {
        const poll = loadPart(() => import('./filters.js')).then(({ pollLogs }) =>
          pollLogs(ask, tell),
        )
        // Told by the first poll.
        poll.catch(() => undefined)
        return async () => (await poll)()
      },
    },
  }
}
