import { expectTypeOf, test } from 'vitest'
import { type BadProof, createClient, type Evidence, mainnet } from './index.js'
import { type NodeReport, probeNodes, reportNodes } from './nodes.js'

test('types: who sent a bad proof, and the proof', () => {
  const client = createClient({
    chain: mainnet,
    anchor: { block: mainnet.genesisHash },
    nodes: ['https://rpc.test'],
    onBadProof: (bad) => expectTypeOf(bad).toEqualTypeOf<BadProof>(),
  })
  expectTypeOf(reportNodes(client)).toEqualTypeOf<NodeReport[]>()
  expectTypeOf(probeNodes(client)).resolves.toEqualTypeOf<NodeReport[]>()
  expectTypeOf<BadProof['evidence']>().toEqualTypeOf<Evidence | undefined>()
  expectTypeOf<NodeReport['badProof']>().toEqualTypeOf<BadProof | undefined>()
})
