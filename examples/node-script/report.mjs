// @ts-check
// Results for people at a terminal.

/** @import { Absent, Present, ProofFile, ProvenAccount } from 'lightproof' */

const colours = { good: 32, bad: 31, wait: 33, soft: 90 }

/**
 * @param {keyof typeof colours} colour
 * @param {string} text
 * @param {NodeJS.WriteStream} stream where it goes: files and pipes get plain text
 */
function paint(colour, text, stream = process.stdout) {
  return stream.hasColors?.() === true ? `\u001b[${colours[colour]}m${text}\u001b[0m` : text
}

/** @param {bigint} wei */
function ether(wei) {
  const digits = wei.toString().padStart(19, '0')
  const fraction = digits.slice(-18).replace(/0+$/, '')
  return fraction === '' ? digits.slice(0, -18) : `${digits.slice(0, -18)}.${fraction}`
}

/** @param {ProofFile} file */
function sizeOf({ source, proof }) {
  const headers = 'header' in source ? source.header.rlps : []
  return [...headers, proof].reduce((sum, hex) => sum + (hex.length - 2) / 2, 0)
}

/**
 * @param {Present<ProvenAccount> | Absent<ProvenAccount>} result
 * @param {ProofFile} file
 * @param {number | undefined} milliseconds that the check took
 */
export function describe({ value, trust }, file, milliseconds) {
  const { account, slots, code } = value
  const title = account === null ? '✓ PROVEN ABSENT' : '✓ PROVEN'
  const { block, anchor } = trust
  const time = milliseconds === undefined ? '' : `, checked in ${milliseconds.toFixed(1)} ms`
  /** @type {[string, string][]} */
  const rows = [
    ...(account === null
      ? /** @type {[string, string][]} */ ([['balance', '0 ETH: no such account in this block']])
      : /** @type {[string, string][]} */ ([
          ['balance', `${ether(account.balance)} ETH (${account.balance} wei)`],
          ['nonce', `${account.nonce}`],
          ['code hash', account.codeHash],
          ['storage root', account.storageHash],
        ])),
    ...(code === undefined
      ? []
      : [
          /** @type {[string, string]} */ ([
            'code',
            `${(code.length - 2) / 2} bytes; --json shows them`,
          ]),
        ]),
    ...slots.map(
      ({ slot, status, value: held }) =>
        /** @type {[string, string]} */ ([
          `slot ${slot}`,
          status === 'present' ? `0x${held.toString(16)}` : '0 (proven absent)',
        ]),
    ),
    ['', ''],
    ['block', `${block.number} ${block.hash ?? ''}`],
    ['trusted', trust.finality === 'pinned' ? 'this block, by you' : `${anchor.hash}, by you`],
    ['served by', file.meta?.servedBy ?? 'a file'],
    ['proved', trust.proved.join(', ')],
    ['not proved', trust.notProved.join(', ')],
    ['proof', `${sizeOf(file)} bytes${time}`],
  ]
  const lines = rows.map(([name, text]) => {
    if (name === '') return ''
    const label = paint('soft', name.padEnd(12))
    return name.length > 12
      ? `  ${paint('soft', name)}\n  ${''.padEnd(12)}  ${text}`
      : `  ${label}  ${text}`
  })
  const head = `${paint('good', title)}  ${value.address} on ${trust.chain.name}`
  return [head, ...lines].join('\n')
}

const failures = {
  invalid: {
    colour: 'bad',
    title: '✗ REJECTED',
    advice: 'The proof is bad. Nothing in it may be relied on.',
  },
  unavailable: {
    colour: 'wait',
    title: '? NOTHING PROVEN',
    advice: 'Nobody was caught lying, either.',
  },
  input: { colour: 'bad', title: '✗ BAD INPUT', advice: 'See --help.' },
  fault: {
    colour: 'bad',
    title: '✗ CANNOT CHECK',
    advice: 'This Node.js cannot run the verifier.',
  },
}

/**
 * @param {keyof typeof failures} status
 * @param {Error & { code?: string }} error
 */
export function describeFailure(status, error) {
  const { colour, title, advice } = failures[status]
  const head = paint(/** @type {keyof typeof colours} */ (colour), title, process.stderr)
  const code = error.code === undefined ? '' : `  ${error.code}`
  return `${head}${code}\n  ${error.message}\n  ${advice}`
}
