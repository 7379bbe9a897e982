/**
 * What follows from the list of systems. Pages load the systems that they use, each from its own
 * entry; only what goes through all of them (the command line, traces, tests) loads this file.
 */

import * as all from './all.js'
import type { SystemConfig, ValueSystem } from './system.js'

/** One of this package's systems. */
export type System = (typeof all)[keyof typeof all]

/** All systems, by name. */
export const systems: readonly System[] = Object.values(all)

/** Those that prove single values: for `getValue`. */
export const valueSystems: readonly ValueSystem[] = systems.flatMap((system) =>
  'asksOne' in system ? [system] : [],
)

/** A proof system that this version knows. */
export type SystemName = System['name']

/** The proof systems that a chain's headers commit to. */
export type Systems = {
  readonly [S in System as S['name']]?: SystemConfig<S['formats'][number]>
}
