import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Lab } from '../../test/support/engines.js'

/** The file that an app ships. */
export const page = 'lightproof-webview.html'

/**
 * Opens the file itself, as an app opens its asset, with the settings that the app puts after `#`.
 */
export async function openPage(lab: Lab, folder: string, settings: string): Promise<void> {
  // A page that differs in its fragment only would not be loaded again.
  await lab.engine().open('about:blank')
  await lab.engine().open(pathToFileURL(join(folder, page)).href + settings)
}
