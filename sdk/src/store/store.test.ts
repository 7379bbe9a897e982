import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { fileStore } from './file.js'
import { indexedDbStore } from './indexedDb.js'
import { memoryStore } from './store.js'

const directory = await mkdtemp(path.join(tmpdir(), 'lightproof-store-'))
afterAll(() => rm(directory, { recursive: true }))

const KEY = 'lightproof-ethereum-1/../x'
const ONE = Uint8Array.of(1, 2, 3)

test.each([
  ['memory', memoryStore()],
  ['file', fileStore(path.join(directory, 'deep', 'er'))],
])('default: %s keeps bytes by key', async (_, store) => {
  expect(await store.load(KEY)).toBeUndefined()
  await store.remove(KEY)
  await store.save(KEY, ONE)
  await store.save('other', Uint8Array.of(9))
  expect(await store.load(KEY)).toEqual(ONE)
  await store.save(KEY, new Uint8Array(0))
  expect(await store.load(KEY)).toEqual(new Uint8Array(0))
  await store.remove(KEY)
  expect(await store.load(KEY)).toBeUndefined()
  expect(await store.load('other')).toEqual(Uint8Array.of(9))
})

test('behavior: memory keeps a copy', async () => {
  const store = memoryStore()
  const bytes = ONE.slice()
  await store.save(KEY, bytes)
  bytes[0] = 7
  expect(await store.load(KEY)).toEqual(ONE)
})

test('behavior: files stay in their directory, whole, and alone', async () => {
  const place = path.join(directory, 'place')
  const store = fileStore(place)
  const saves = Array.from({ length: 8 }, (_, i) => store.save(KEY, new Uint8Array(1000).fill(i)))
  await Promise.all(saves)
  expect(new Set(await store.load(KEY)).size).toBe(1)
  expect(await readdir(place)).toEqual([`${encodeURIComponent(KEY)}.bin`])
  expect(await readdir(directory)).not.toContain('x.bin')
})

test('error: a directory that is none', async () => {
  expect(() => fileStore('')).toThrow(expect.objectContaining({ code: 'input.option' }))
  const file = path.join(directory, 'file')
  await writeFile(file, '')
  await expect(fileStore(file).save(KEY, ONE)).rejects.toThrow()
  await expect(fileStore(file).load(KEY)).rejects.toThrow()
})

test('error: IndexedDB is missing', async () => {
  const store = indexedDbStore()
  await expect(store.load(KEY)).rejects.toMatchObject({ code: 'platform.storage' })
})
