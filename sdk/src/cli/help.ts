/** What `--help` prints. */

const CLIENT = `
  --node URL          a JSON-RPC node that answers eth_getProof (lp_getProof on a devnet); not trusted; repeat it
  --checkpoint HASH   trust starts at this finalized beacon block (on a devnet: this block) …
  --block HASH        … or at this block; from a source you trust, never from the node
  --beacon URL        for a checkpoint on Ethereum: a beacon node; not trusted; repeat it
  --chain NAME|FILE   mainnet (default), sepolia, hoodi, or a JSON file: a chain configuration, or the first line
                      that \`lightproof-node run\` printed, which brings its node and its head along
  --max-age DAYS|any  how old what is known since the checkpoint may be (default 14)
  --store DIR         keep what was synced there
  --timeout MS        for one attempt at one node (default 10000)`

const COMMON = `
  --json              print JSON
  --help              print this
`

const EXITS = `
Exit codes: 0 proven (present or absent) or done, 1 fault of this program, 2 mistake on the command line,
3 a proof does not hold, 4 nothing proven, 5 sources disagree, 6 a lie was believed, 130 interrupted.
`

/** All commands. */
export const HELP: string = `lightproof: check what an untrusted node says of a blockchain

  lightproof get WHAT ADDRESS     a balance, nonce, code, slot, token balance, value or history, proven
  lightproof sync                 follow the committees from a checkpoint to the newest signed header
  lightproof export ADDRESS       a proof as a file that anybody can check offline
  lightproof verify FILE          check such a file, or the evidence of a lie
  lightproof checkpoint URL…      ask several sources for a checkpoint, and compare
  lightproof nodes URL…           ask nodes what they serve: chain, systems, how far back
  lightproof attack URL           put a liar before an honest node, and see what a client believes
  lightproof COMMAND --help       options
  lightproof --version
${EXITS}`

/** A command. */
export type CommandName = 'get' | 'sync' | 'verify' | 'export' | 'checkpoint' | 'nodes' | 'attack'

/** Each command's options. */
export const HELP_OF: Readonly<Record<CommandName, string>> = {
  get: `lightproof get WHAT ADDRESS [options]

  account | balance | nonce | code    of ADDRESS
  storage --slot N                    one slot of a contract
  erc20 --token T                     balance of ADDRESS, from the slot that holds it; --witness HOLDER=BALANCE
                                      names somebody known to hold the token (no node is believed about that)
  block                               the header (no ADDRESS)
  value --system NAME [--slot N | --key KEY]    from a proof system that keys the state otherwise: cole, lmpt,
                                      lvmt, verkle (KEY in hex), balanceproofs (KEY a position)
  history --from N [--to N] [--slot N]          every version of a slot, complete (cole)

  --at BLOCK          a number or hash; after a checkpoint also finalized (default) or head
  --evidence DIR      write the bad proofs of nodes that lied there${CLIENT}${COMMON}${EXITS}`,
  sync: `lightproof sync --checkpoint HASH [options]

  --evidence DIR      write there what nodes sent that does not hold${CLIENT}${COMMON}${EXITS}`,
  export: `lightproof export ADDRESS [options]

  --slot N            a storage slot; repeat it
  --code              include the code
  --at BLOCK          a number or hash; after a checkpoint also finalized or head
  --expires TIME      readers are to refuse the file from then on: 2026-01-31T12:00:00Z, or 30m, 24h, 7d from now
  --out FILE          where to write it (default: standard output)${CLIENT}${COMMON}${EXITS}`,
  verify: `lightproof verify FILE (--block HASH | --root HASH [--number N] | --checkpoint HASH) [options]

  --block HASH        the block that you trust: that of the proof, or a later one that the file links to it
  --root HASH         … or the state root that you trust
  --checkpoint HASH   for evidence of signed headers: the finalized header that you trust and the file starts from
  --now TIME          read it as of then (default: this machine's clock): a file that expired before is refused
  --chain NAME|FILE   the chain that the file must be of; without it the report says that nobody checked${COMMON}${EXITS}`,
  checkpoint: `lightproof checkpoint --agree N URL… [options]

  Asks each URL (beacon nodes of different people; on a devnet its nodes) for its newest final block, and all of them
  about the same slot. Prints the root that N of them name, and who dissents.

  --agree N           how many must name the same root
  --chain NAME|FILE   as for get
  --timeout MS        for one attempt at one source (default 10000)${COMMON}${EXITS}`,
  nodes: `lightproof nodes URL… [options]

  Asks each node what it serves: which systems, of which blocks (of plain Ethereum nodes by asking for proofs ever further
  back), by block hash or by number, and which methods it lacks. Exit code 4 if none serves proofs of the chain.

  --chain NAME|FILE   as for get
  --timeout MS        for one attempt at one node (default 10000)${COMMON}${EXITS}`,
  attack: `lightproof attack URL [options] [-- PROGRAM ARGS…]

  Starts a proxy before the honest node at URL that tells one lie after another, and shows which ones the client under
  attack believes. The client is PROGRAM, which is run once per lie with the proxy's URL for {url} in its arguments and
  in $LIGHTPROOF_URL: it must print the same answer each time and exit 0, or exit with another code where it refuses.
  Without PROGRAM it is this library, pinned at a block that the honest node names.

    lightproof attack http://127.0.0.1:8545 -- cast balance 0x… --rpc-url {url}
    lightproof attack http://127.0.0.1:8545 -- node my-wallet.js {url}

  refused    it exited with an error                 unharmed   it gave the honest answer all the same
  not asked  it never asked what the lie is about    BELIEVED   it gave another answer, without an error
  HUNG       it did not end within the time limit

  --list              the lies, one line each
  --lie NAME          only this one; repeat it
  --serve NAME        tell this lie until interrupted, and print the proxy's URL
  --address 0x…       whose account this library asks about (default: the newest block's fee recipient)
  --time-limit MS     for one run (default 30000)${COMMON}${EXITS}`,
}
