/**
 * What each package's README, types and exports say that it does, at the version that is measured;
 * nothing here is a judgement. Read on 2026-11-26.
 */

const NOT_SAID = 'not said'

/** @type {readonly { title: string, cells: Record<string, string> }[]} */
export const FEATURES = [
  {
    title: 'API',
    cells: {
      lightproof: 'functions; EIP-1193, viem, ethers, wagmi, React',
      colibri: 'EIP-1193; proofs made and verified by call',
      helios: 'EIP-1193',
      lodestar: 'events of new headers',
    },
  },
  {
    title: 'starts from',
    cells: {
      lightproof: 'checkpoint, quorum of checkpoint sources, block',
      colibri: 'checkpoint, checkpoint servers, ZK proof of the committee',
      helios: 'checkpoint',
      lodestar: 'checkpoint',
    },
  },
  {
    title: 'asks',
    cells: {
      lightproof: 'RPC nodes, beacon nodes',
      colibri: 'a prover; or RPC nodes and beacon nodes, and makes proofs itself',
      helios: 'an RPC node, a beacon node',
      lodestar: 'a beacon node',
    },
  },
  {
    title: 'accounts, storage, code',
    cells: { lightproof: 'yes', colibri: 'yes', helios: 'yes', lodestar: 'no: headers' },
  },
  {
    title: 'contract calls',
    cells: { lightproof: 'yes', colibri: 'yes', helios: 'yes', lodestar: 'no: headers' },
  },
  {
    title: 'transactions, receipts, logs',
    cells: { lightproof: 'yes', colibri: 'yes', helios: 'yes', lodestar: 'no: headers' },
  },
  {
    title: 'subscriptions',
    cells: {
      lightproof: 'yes',
      colibri: 'yes, by polling',
      helios: 'yes',
      lodestar: 'new headers',
    },
  },
  {
    title: 'proofs as files, checked offline',
    cells: { lightproof: 'yes', colibri: 'yes', helios: NOT_SAID, lodestar: NOT_SAID },
  },
  {
    title: 'keeps between sessions',
    cells: {
      lightproof: 'committees, proven nodes and code: IndexedDB, files, own store',
      colibri: 'its state: localStorage, files, own store',
      helios: 'checkpoint: localStorage',
      lodestar: NOT_SAID,
    },
  },
  {
    title: 'verifies in a worker',
    cells: { lightproof: 'yes', colibri: NOT_SAID, helios: NOT_SAID, lodestar: NOT_SAID },
  },
  {
    title: 'chains',
    cells: {
      lightproof: 'Ethereum and its testnets, others by configuration, its own devnet',
      colibri: 'Ethereum, Sepolia, Gnosis, Chiado',
      helios: 'Ethereum and its testnets, OP Stack, Linea',
      lodestar: 'Ethereum, its testnets and others by configuration',
    },
  },
]
