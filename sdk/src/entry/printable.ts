/**
 * Entry for pages that show untrusted text, such as names in nodes' answers, files and tokens.
 * Imports nothing else of this package.
 *
 * @packageDocumentation
 */

export { escaped, printable } from '../encoding/printable.js'
