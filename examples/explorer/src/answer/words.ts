/** Sentences for people: what was checked when a proof failed, and why nothing could be proven. */

import type { ProofErrorCode, UnavailableErrorCode } from 'lightproof'

/** What the page checked, and what it found, by error code. */
export const whatFailed: Readonly<Record<ProofErrorCode, string>> = {
  'verify.header':
    'The block header must hash to the block hash that you trust. The one that the node sent does not.',
  'verify.chain': 'The header must belong to the chain that you chose. It belongs to another.',
  'verify.commitment': 'The trusted header must commit to the state of accounts. It does not.',
  'verify.root':
    'The proof must start at the state root in the trusted header. It starts somewhere else.',
  'verify.merkle':
    'Each part of the proof must hash to what the part above it says. One of them does not.',
  'verify.absence':
    'What is shown in place of an entry must prove that there is none. It does not.',
  'verify.opening': 'Each commitment must open to what the proof says it holds. One does not.',
  'verify.incomplete':
    'The proof must lead to the account, or show that none is there. It stops before either.',
  'verify.surplus': 'Every part of the proof must be needed. This one carries parts that are not.',
  'verify.path': 'The proof must follow the path that the address spells out. It strays from it.',
  'verify.query': 'The answer must be about the address that you asked for. It is about another.',
  'verify.claim':
    'What the node says about the account must equal what its own proof shows. It differs.',
  'verify.order': 'The entries of a proof must stand in their one order. These do not.',
  'verify.boundary': 'Something may be left out at the edge of what was shown.',
  'verify.source':
    'Every part of the history must be shown, or passed over by the rule. One is not.',
  'verify.filter': 'What was passed over must be shown to hold nothing of the account. It is not.',
  'verify.code': 'The code must hash to what the account says. It does not.',
  'verify.value': 'The proven entry must be an account. It is something else.',
  'verify.checkpoint':
    'The first header must be the one that you pinned as your checkpoint. It is another.',
  'verify.participation': 'Enough members of the committee must have signed the header. Fewer did.',
  'verify.time':
    'A header must be signed after it was made, and not in the future. These times cannot be.',
  'verify.period':
    'A header must be signed by a committee that is known already. This one skips a period.',
  'verify.unsupported':
    'Every transaction of the block must be of a type that this page knows. One is of a newer type.',
  'verify.relevance': 'An update must be newer than what you have. This one is not.',
  'verify.execution': 'The state root must be that of the signed block. It belongs to another.',
  'verify.finality': 'The final header must be named by the signed one. It is not.',
  'verify.committee': 'A committee must be named by a header that you trust. This one is not.',
  'verify.signature':
    'The committee must have signed exactly this header. The signature is for something else.',
  'verify.contradiction':
    'A chain that follows another must agree with it. This block contradicts the one that it follows.',
  'verify.expired': 'A file must be read before the time that its maker set. That time is over.',
  'decode.rlp':
    'A proof has exactly one way of being written down. This one is written differently.',
  'decode.shape': 'A proof has fixed fields of fixed kinds. This one does not have them.',
  'decode.limit': 'A proof has at most a certain size. This one is larger.',
  'decode.node': 'Every part of a proof must be a node of a state tree. One of them is not.',
  'decode.ssz':
    'An update has exactly one way of being written down. This one is written differently.',
  'decode.point':
    'A signature and a key must be points of the curve, written in one way. One of them is not.',
  'decode.scalar': 'A number in a proof must be written in one way. One of them is not.',
  'decode.header': 'The node must send a block header. What it sent is not one.',
  'decode.variant': 'The proof must be of a kind that was asked for. It is of another.',
  'decode.response': 'The node must answer with a proof. What it sent does not have that form.',
}

/** Headline and explanation when nothing was proven, by code. */
export const whyUnavailable: Readonly<
  Record<UnavailableErrorCode, { readonly title: string; readonly text: string }>
> = {
  checkpoint: {
    title: 'Checkpoint unknown',
    text: 'No source of headers knows the checkpoint that you trust. Check it, or ask others.',
  },
  expired: {
    title: 'Checkpoint too old',
    text: 'The checkpoint is so old that its signers may have left. Take a newer one from a source that you trust.',
  },
  stale: {
    title: 'No recent header',
    text: 'The newest signed header is older than this page allows. Try again later, or ask others.',
  },
  'chain.fork': {
    title: 'A newer fork',
    text: 'The chain has forked beyond what this page knows. Update it.',
  },
  deadline: {
    title: 'No answer in time',
    text: 'No node proved anything in the time that this page allows. Try again.',
  },
  clock: {
    title: 'Clock is wrong',
    text: 'A signed header is from the future: the clock of this device is behind. Set it.',
  },
  unreachable: {
    title: 'Node unreachable',
    text:
      'The node did not answer, or did not answer as a JSON-RPC node does. Check its URL, and that it ' +
      'allows requests from web pages.',
  },
  chain: {
    title: 'Node of another chain',
    text: 'The node serves a chain other than the one you chose.',
  },
  block: {
    title: 'Block unknown to the node',
    text: 'The node does not have the block that you trust. Check the hash, or ask a node of the same chain.',
  },
  window: {
    title: 'Block too old for the node',
    text: 'The node no longer keeps the state of that block. Choose a newer trusted block.',
  },
  shard: {
    title: 'Node of another shard',
    text: 'The node keeps a part of the state, and the key lies in another. Ask a node that keeps it.',
  },
  untrusted: {
    title: 'Block not covered by your trust',
    text: 'The block is not the one that you trust, nor an ancestor of it.',
  },
  walk: {
    title: 'Block too far back',
    text: 'The block is too far behind the one that you trust.',
  },
  unsupported: {
    title: 'Node without proofs',
    text: 'The node does not offer what a proof needs, such as eth_getProof.',
  },
  limit: {
    title: 'Node refused the request',
    text: 'The node limits how much or how often it may be asked. Try again later, or ask another node.',
  },
  node: {
    title: 'Node reported an error',
    text: 'The node answered with an error instead of a proof.',
  },
}
