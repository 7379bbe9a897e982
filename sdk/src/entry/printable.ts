/**
 * Entry for pages that show text of strangers: nodes, files and tokens may name anything. Needs
 * nothing else of this package.
 *
 * @packageDocumentation
 */

export { escaped, printable } from '../encoding/printable.js'
