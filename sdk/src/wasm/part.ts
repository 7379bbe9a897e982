/**
 * Parts of this package that only some pages need: loaded when first needed, where the bundler
 * splits them off.
 */

import { PlatformError } from '../result/errors.js'

/**
 * Loads a part.
 *
 * @throws {@link PlatformError} if its file cannot be fetched: gone with an older version of the
 *   page, perhaps.
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    const problem = `could not load a file of lightproof: ${cause}; reload the page, or deploy all its files`
    throw new PlatformError('platform.wasm', problem, { cause })
  }
}
