// @ts-check
// One interface over three real browser engines, headless. Start here; types.ts documents the
// interface.
import { findEngine } from './find.mjs'
import { launchPuppeteer } from './puppeteer.mjs'
import { launchWebKit } from './webkit.mjs'

/** @import { Engine, EngineName, LaunchOptions, MissingEngine } from './types.ts' */

/** The engine is not on this machine; `missing` names the Debian packages. */
class EngineMissingError extends Error {
  /** @param {MissingEngine} missing */
  constructor(missing) {
    super(missing.message)
    this.name = 'EngineMissingError'
    this.missing = missing
  }
}

/**
 * Starts an engine with one empty page.
 *
 * @param {EngineName} name
 * @param {LaunchOptions} [options]
 * @returns {Promise<Engine>}
 * @throws {EngineMissingError} if its binaries are not here
 */
export async function launch(name, options = {}) {
  const found = findEngine(name)
  if (found.status === 'missing') throw new EngineMissingError(found)
  const complete = {
    colorScheme: options.colorScheme ?? 'light',
    viewport: options.viewport ?? { width: 1280, height: 900 },
    isShared: options.isShared ?? false,
  }
  return name === 'webkit' ? launchWebKit(found, complete) : launchPuppeteer(found, complete)
}
