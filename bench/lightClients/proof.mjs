/** A first proof in a fresh process: `node proof.mjs URL BLOCK ADDRESS CHAINID`. */
const [url = '', block = '', address = '', chainId] = process.argv.slice(2)
const began = performance.now()
const { createClient, defineChain, getBalance, proven } = await import('lightproof')
const own = { chainId: Number(chainId), genesisHash: block }
const chain = defineChain({ name: 'local', kind: 'ethereum', ...own })
proven(await getBalance(createClient({ chain, anchor: { block }, nodes: [url] }), { address }))
console.log(JSON.stringify({ ms: performance.now() - began }))
process.exit()
