/** A store in a directory, for Node.js. */

import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { InputError } from '../result/errors.js'
import type { Store } from './store.js'

/**
 * Keeps each key in a file of its own. A file is whole or absent: it is written beside its place
 * and renamed.
 *
 * @param directory - made if it is missing. Nobody else should be able to write to it.
 * @throws {@link InputError} if the directory is no path.
 */
export function fileStore(directory: string): Store {
  if (typeof directory !== 'string' || directory === '') {
    throw new InputError('input.option', 'directory', 'expected the path of a directory')
  }
  // Encoded, a key cannot name a place outside the directory.
  const place = (key: string): string => path.join(directory, `${encodeURIComponent(key)}.bin`)
  return {
    load: async (key) => {
      try {
        return new Uint8Array(await readFile(place(key)))
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
        throw error
      }
    },
    save: async (key, bytes) => {
      await mkdir(directory, { recursive: true })
      const fresh = `${place(key)}.${randomUUID()}`
      try {
        await write(fresh, bytes)
        await rename(fresh, place(key))
      } finally {
        await rm(fresh, { force: true })
      }
    },
    remove: (key) => rm(place(key), { force: true }),
  }
}

async function write(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(bytes)
    // Else a crash could leave the new name with no content.
    await handle.sync()
  } finally {
    await handle.close()
  }
}
