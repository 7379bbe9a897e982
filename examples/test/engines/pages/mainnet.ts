/** From a checkpoint over signed headers to accounts, each way in a client of its own. */

import './probe.js'
import {
  createClient,
  getAccount,
  mainnet,
  type Participation,
  resultToJson,
  sync,
  verifyProofFile,
} from 'lightproof'
import { publish } from './publish.js'

/** What to follow, and what to prove then. */
export interface Way {
  readonly checkpoint: string
  readonly beacon: string
  readonly node: string
  /** The clock, in seconds since 1970: when the answers were recorded. */
  readonly now: number
  /** The accounts to ask the node for, as far as the headers of their blocks were recorded. */
  readonly asks: readonly { readonly address: string; readonly at: 'head' | 'finalized' }[]
  /** Proof files, and the state root that the signed header holds. */
  readonly files: readonly {
    readonly file: unknown
    readonly root: string
    readonly number: number
  }[]
}

/** What was proven on a way. */
export interface WayReport {
  readonly head: {
    readonly hash: string
    readonly number: string
    readonly signed: Participation | null
  }
  readonly period: string
  readonly lagSeconds: number
  /** What the node proved. */
  readonly asked: readonly unknown[]
  /** What the files prove. */
  readonly proven: readonly unknown[]
}

/** The ways in their order. */
export interface MainnetReport {
  readonly ways: readonly WayReport[]
}

publish(run())

async function run(): Promise<MainnetReport> {
  const ways = JSON.parse(document.getElementById('vectors')?.textContent ?? '') as Way[]
  const reports: WayReport[] = []
  for (const way of ways) {
    Date.now = () => way.now * 1000
    reports.push(await follow(way))
  }
  return { ways: reports }
}

async function follow({ checkpoint, beacon, node, asks, files }: Way): Promise<WayReport> {
  const client = createClient({
    chain: mainnet,
    anchor: { checkpoint, maxAgeSeconds: Number.POSITIVE_INFINITY },
    nodes: [node],
    beacons: [beacon],
    // Of mainnet finality was not recorded.
    maxFinalLagSeconds: Number.POSITIVE_INFINITY,
  })
  const synced = await sync(client)
  if (synced.status !== 'synced') throw synced.error
  const { head, period, headLagSeconds } = synced
  const proven: unknown[] = []
  for (const { file, root, number } of files) {
    proven.push(
      resultToJson(await verifyProofFile(file, { anchor: { root, number }, chain: mainnet })),
    )
  }
  const asked: unknown[] = []
  for (const ask of asks) asked.push(resultToJson(await getAccount(client, ask)))
  return {
    head: {
      hash: head.block?.hash ?? '',
      number: `${head.block?.number}`,
      signed: head.participation,
    },
    period: `${period}`,
    lagSeconds: headLagSeconds,
    proven,
    asked,
  }
}
