/** A page's first balance; the task is in its address. */
import * as lightproof from 'lightproof'
import { proveFirst } from './start.mjs'
import { watch } from './watch.mjs'

const { fetch, ends } = watch()
const task = JSON.parse(decodeURIComponent(location.search.slice(1)))
proveFirst(lightproof, task, fetch).then(
  () => Object.assign(window, { ends: ends() }),
  (error) => Object.assign(window, { ends: String(error) }),
)
