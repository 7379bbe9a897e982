/** A first balance, from a node and a pinned block. */

/**
 * @typedef {object} Task
 * @property {string} url of the node
 * @property {string} block
 * @property {string} address
 * @property {number} chainId
 * @property {string} balance in decimal
 */

/**
 * @param {Pick<typeof import('lightproof'), 'createClient' | 'defineChain' | 'getBalance' | 'proven'>} lightproof
 * @param {Task} task
 * @param {typeof fetch} [fetch] in place of the platform's
 * @throws if the balance is not proven, or is another one.
 */
export async function proveFirst(lightproof, { url, block, address, chainId, balance }, fetch) {
  const { createClient, defineChain, getBalance, proven } = lightproof
  const chain = defineChain({ name: 'local', kind: 'ethereum', chainId, genesisHash: block })
  const client = createClient({ chain, anchor: { block }, nodes: [url], ...(fetch && { fetch }) })
  const found = proven(await getBalance(client, { address }))
  if (String(found) !== balance) throw new Error(`balance ${found}, not ${balance}`)
}
