/**
 * Entry for programs that take any proof system, such as explorers: the list of all of them. Pages
 * that use a few import each from its own entry, and load no other.
 *
 * @packageDocumentation
 */

export { systems } from '../systems/registry.js'
