/** What `--help` prints. */

import { valueSystems } from '../systems/registry.js'

/** What KEY is. */
const KEYS = { hex: 'KEY in hex', integer: 'KEY is an index' } as const

/** A line for each system that proves values. */
const SYSTEMS = valueSystems
  .map(({ name, keyText }) => {
    const key = keyText === undefined ? 'ADDRESS and slot alone' : KEYS[keyText]
    return `${' '.repeat(38)}${name.padEnd(14)}${key}`
  })
  .join('\n')

const CLIENT = `
  --node URL          untrusted JSON-RPC node with eth_getProof (devnet: lp_getProof); may be repeated
  --checkpoint HASH   trust the chain from this finalized beacon block on (devnet: from this block on), or
  --block HASH        trust this block and its ancestors; take the hash from a source you trust, never from the node
  --beacon URL        untrusted beacon node, needed with --checkpoint on Ethereum; may be repeated
  --chain NAME|FILE   mainnet (default), sepolia, hoodi, or a JSON file with a chain configuration. The first line
                      that \`lightproof-node run\` prints is one, and also names the node and its head
  --max-age DAYS|any  refuse to continue from a checkpoint or store that is older (default 14; 7 from Gloas on)
  --max-lag MIN|any   refuse a final block or head that is older (default on Ethereum: 20 and 2 minutes)
  --store DIR         save synced headers in this directory
  --follows NAME|FILE the Ethereum chain that this chain follows: each answer is compared with it. It is asked and trusted
                      by --follows-node, --follows-beacon, and --follows-checkpoint or --follows-block, as above
  --cross-check N     prove N of an answer's values a second time in the followed block (default 0)
  --timeout MS        timeout of one attempt at one node (default 10000)`

const COMMON = `
  --json              print JSON
  --help              print this
`

const EXITS = `
Exit codes: 0 proven (present or absent) or done, 1 internal error, 2 invalid command line, 3 invalid proof,
4 nothing proven, 5 sources disagree, 6 a lie was believed, 130 interrupted.
`

/** All commands. */
export const HELP: string = `lightproof: verify blockchain state that an untrusted node served

  lightproof get WHAT ADDRESS     get a proven balance, nonce, code, slot, token balance, value or history
  lightproof sync                 verify signed headers from a checkpoint to the newest one
  lightproof export ADDRESS       write a proof file that anybody can verify offline
  lightproof verify FILE          verify a proof file, or evidence of a lie
  lightproof checkpoint URL…      ask several sources for a checkpoint and compare their answers
  lightproof nodes URL…           show what nodes serve: chain, systems, oldest block
  lightproof attack URL           run a client against a lying proxy and show which lies it believes
  lightproof COMMAND --help       show the options of a command
  lightproof --version
${EXITS}`

/** A command. */
export type CommandName = 'get' | 'sync' | 'verify' | 'export' | 'checkpoint' | 'nodes' | 'attack'

/** Each command's options. */
export const HELP_OF: Readonly<Record<CommandName, string>> = {
  get: `lightproof get WHAT ADDRESS [options]

  account | balance | nonce | code    of ADDRESS
  storage --slot N                    one storage slot of a contract
  erc20 --token T                     token balance of ADDRESS, as the token's own code computes it; exit code 4 if it
                                      answers none
  block                               the block header (no ADDRESS)
  value --system NAME [--slot N | --key KEY]    a value in another proof system:
${SYSTEMS}
  history --from N [--to N] [--slot N]          every version of a slot between two blocks, complete (cole)

  --at BLOCK          block number or hash; with --checkpoint also finalized (default) or head
  --evidence DIR      write bad proofs of nodes to this directory${CLIENT}${COMMON}${EXITS}`,
  sync: `lightproof sync --checkpoint HASH [options]

  --evidence DIR      write bad proofs of nodes to this directory${CLIENT}${COMMON}${EXITS}`,
  export: `lightproof export ADDRESS [options]

  --slot N            include this storage slot; may be repeated
  --code              include the code
  --at BLOCK          block number or hash; with --checkpoint also finalized or head
  --expires TIME      ask readers to refuse the file from this time on: 2026-01-31T12:00:00Z, or 30m, 24h, 7d from now
  --out FILE          output file (default: standard output)${CLIENT}${COMMON}${EXITS}`,
  verify: `lightproof verify FILE (--block HASH | --root HASH [--system NAME] [--number N] | --checkpoint HASH) [options]

  --block HASH        trusted block: the block of the proof, or a later one that the file links to it
  --root HASH         trusted root, instead of a block
  --system NAME       proof system that the root belongs to (default: mpt, so a state root)
  --number N          number of the root's block, if known
  --checkpoint HASH   trusted finalized header that the file starts from, for evidence about signed headers
  --origin HASH       for a contradiction about the origin: the followed chain's block that you trust in its place
  --accounts FILE     for a contradiction: the accounts of balances by position, one a line (the node's --balances)
  --now TIME          compare the file's expiry with this time (default: now)
  --max-age TIME      refuse a proof whose block is older, by its own timestamp: 30m, 24h, 7d
  --chain NAME|FILE   require this chain; without it the chain is reported as not proved${COMMON}${EXITS}`,
  checkpoint: `lightproof checkpoint --agree N URL… [options]

  Asks each URL (beacon nodes of different operators; on a devnet its nodes) for its newest final block, then all of
  them for the root of the same slot. Prints the root that N of them agree on, and which ones dissent.

  --agree N           number of operators that must name the same root; hosts of one domain are one operator
  --chain NAME|FILE   as for get
  --timeout MS        timeout of one attempt at one source (default 10000)${COMMON}${EXITS}`,
  nodes: `lightproof nodes URL… [options]

  Shows what each node serves: systems, range of blocks (for Ethereum nodes found by requesting older and older proofs),
  whether blocks can be named by hash, and missing methods. Exit code 4 if no node serves proofs of the chain.

  --chain NAME|FILE   as for get
  --timeout MS        timeout of one attempt at one node (default 10000)${COMMON}${EXITS}`,
  attack: `lightproof attack URL [options] [-- PROGRAM ARGS…]

  Starts a proxy in front of the honest node at URL. The proxy tells one lie at a time. The client under attack is
  PROGRAM; it runs once per lie. {url} in its arguments, and $LIGHTPROOF_URL, are the proxy's URL. It must print the
  same answer each time and exit 0, or exit with another code to refuse an answer. Without PROGRAM the client is this
  library, pinned at a block that the honest node names.

    lightproof attack http://127.0.0.1:8545 -- cast balance 0x… --rpc-url {url}
    lightproof attack http://127.0.0.1:8545 -- node my-wallet.js {url}

  refused    the client exited with an error         unharmed   the client gave the honest answer
  not asked  the client never made the affected call BELIEVED   the client gave another answer, without an error
  HUNG       the client did not exit in time

  --list              list the lies, one per line
  --lie NAME          only tell this lie; may be repeated
  --serve NAME        tell this lie until interrupted; prints the proxy's URL
  --address 0x…       account that this library asks about (default: the newest block's fee recipient)
  --time-limit MS     time limit of one run (default 30000)${COMMON}${EXITS}`,
}
