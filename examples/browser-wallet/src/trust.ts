/** What a balance rests on: the steps from the checkpoint to it, and the nodes that were asked. */

import { type Client, printable, type Trust } from 'lightproof'
import { reportNodes } from 'lightproof/nodes'
import { age, list, say } from './page.js'

/** Marks each step as proven or not, as the trust report does. */
export function showTrust(trust?: Trust): void {
  for (const { dataset } of document.querySelectorAll<HTMLElement>('[data-part]')) {
    const isIn = (parts?: readonly string[]) => parts?.includes(dataset['part'] ?? '') === true
    dataset['state'] = isIn(trust?.proved) ? 'proven' : isIn(trust?.notProved) ? 'open' : ''
  }
  const { block, finality, participation, servedBy } = trust ?? {}
  say('block', block ? `Block ${block.number}, ${finality}, ${age(block.ageSeconds)}` : '')
  say('signed', participation ? `signed by ${participation.signed} of ${participation.of}` : '')
  say('server', servedBy ? `proof from ${servedBy}` : '')
}

/** Names the nodes that are asked, and those that lied, also if another one then told the truth. */
export function showNodes(client: Client): void {
  const nodes = reportNodes(client).map(({ name, state, badProof }): [string, string] => {
    const said = badProof ? `${name} lied (${badProof.error.code})` : `${name}: ${state}`
    return [printable(said), state]
  })
  list('nodes', nodes)
  const liars = nodes.filter(([, state]) => state === 'setAside').map(([text]) => text)
  say('lied', liars.length === 0 ? '' : `Set aside: ${liars.join(', ')}`)
}
