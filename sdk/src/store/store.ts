/** Where a client keeps what it proved, to start from there next time. */

/**
 * Keeps bytes by key. It is the caller's own storage, and must be as safe as the checkpoint in the
 * caller's code: whoever can write to it can pass off another chain. Damage is noticed, and what it
 * holds is proved again when it is loaded.
 */
export interface Store {
  /** The bytes that were saved; undefined if there are none. */
  load(key: string): Promise<Uint8Array | undefined>
  /** Keeps the bytes, all of them or none. */
  save(key: string, bytes: Uint8Array): Promise<void>
  /** Forgets them. */
  remove(key: string): Promise<void>
}

/** A store that lasts as long as the process or page. */
export function memoryStore(): Store {
  const entries = new Map<string, Uint8Array>()
  return {
    load: async (key) => entries.get(key)?.slice(),
    save: async (key, bytes) => {
      entries.set(key, bytes.slice())
    },
    remove: async (key) => {
      entries.delete(key)
    },
  }
}
