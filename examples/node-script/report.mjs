// @ts-check
// Results for people at a terminal.
import { escaped, printable } from 'lightproof/printable'

/** @import { Absent, Present, ProofFile, ProvenAccount, SyncEvent, Trust } from 'lightproof' */

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

const units = /** @type {const} */ ([
  ['days', 86_400],
  ['hours', 3_600],
  ['minutes', 60],
])

/** @param {number} seconds */
function span(seconds) {
  const [name, size] = units.find(([, length]) => seconds >= 2 * length) ?? ['s', 1]
  return `${Math.floor(seconds / size)} ${name}`
}

/**
 * What the fact rests on.
 *
 * @param {Trust} trust
 * @returns {[string, string][]}
 */
function trusted({ anchor, finality, participation, headLagSeconds }) {
  if (anchor.kind !== 'checkpoint') {
    return [['trusted', finality === 'pinned' ? 'this block, by you' : `${anchor.hash}, by you`]]
  }
  const age = anchor.ageSeconds === null ? '' : `, ${span(anchor.ageSeconds)} old`
  const lag = headLagSeconds === null ? '' : `; the newest header is ${span(headLagSeconds)} behind`
  return [
    ['trusted', `checkpoint ${anchor.hash}, by you${age}`],
    participation === undefined
      ? ['signed by', `nobody: it is the checkpoint itself${lag}`]
      : ['signed by', `${participation.signed} of ${participation.of} of its committee${lag}`],
  ]
}

/**
 * Says on stderr how far the client has come; results alone go to stdout.
 *
 * @param {SyncEvent} event
 */
export function showProgress(event) {
  if (event.type === 'warning') {
    console.error(`  warning: ${printable(event.code)}`)
    return
  }
  if (event.type !== 'progress') return
  const { phase, period, periods } = event
  if (process.stderr.isTTY !== true) return
  const of = periods === undefined ? '' : ` of ${periods}`
  process.stderr.write(
    `\r\u001b[2K${phase === 'newest' ? '' : `  following committees: ${period}${of}`}`,
  )
}

/**
 * @param {Present<ProvenAccount> | Absent<ProvenAccount>} result
 * @param {ProofFile} file
 * @param {number | undefined} milliseconds that the check took
 */
export function describe({ value, trust }, file, milliseconds) {
  const { account, slots, code } = value
  const title = account === null ? '✓ PROVEN ABSENT' : '✓ PROVEN'
  const { block } = trust
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
    ...(block.ageSeconds === null
      ? []
      : [/** @type {[string, string]} */ (['age', span(block.ageSeconds)])]),
    ...trusted(trust),
    // Of a file it is what a stranger wrote.
    ['served by', printable(String(file.meta?.servedBy ?? 'a file'))],
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
  return `${head}${code}\n  ${escaped(error.message)}\n  ${advice}`
}
