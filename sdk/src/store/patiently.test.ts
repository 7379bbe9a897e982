import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { patiently } from './patiently.js'
import { memoryStore, type Store } from './store.js'

const LATE = { code: 'platform.storage', message: expect.stringContaining('does not answer') }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('default: the answer, or the error, of the store', async () => {
  const store = memoryStore()
  await store.save('a', Uint8Array.of(1))
  expect(await patiently(store, (own) => own.load('a'))).toEqual(Uint8Array.of(1))
  const broken: Store = { ...store, load: async () => Promise.reject(new Error('no disk')) }
  await expect(patiently(broken, (own) => own.load('a'))).rejects.toThrow('no disk')
  expect(vi.getTimerCount()).toBe(0)
})

test('behavior: a store that is silent is not asked again until it speaks', async () => {
  const answers: ((bytes: undefined) => void)[] = []
  const load = vi.fn(() => new Promise<undefined>((resolve) => answers.push(resolve)))
  const store: Store = { ...memoryStore(), load }
  const ask = () => patiently(store, (own) => own.load('a'))

  const refused = expect(ask()).rejects.toMatchObject(LATE)
  await vi.advanceTimersByTimeAsync(60_000)
  await refused
  await expect(ask()).rejects.toMatchObject(LATE)
  expect(load).toHaveBeenCalledTimes(1)

  answers[0]?.(undefined)
  await vi.advanceTimersByTimeAsync(0)
  const heard = ask()
  answers[1]?.(undefined)
  expect(await heard).toBeUndefined()
  expect(load).toHaveBeenCalledTimes(2)
})

test('behavior: an error that comes too late is nobody’s', async () => {
  let fail: (reason: Error) => void = () => undefined
  const store: Store = {
    ...memoryStore(),
    save: () =>
      new Promise((_, reject) => {
        fail = reject
      }),
  }
  const refused = expect(
    patiently(store, (own) => own.save('a', Uint8Array.of(1))),
  ).rejects.toMatchObject(LATE)
  await vi.advanceTimersByTimeAsync(60_000)
  await refused
  fail(new Error('no room'))
  await vi.advanceTimersByTimeAsync(0)
  expect(await patiently(store, (own) => own.load('a'))).toBeUndefined()
})
