/** Times the checks of `files.json` in a page; how is in its address. */
import * as lightproof from 'lightproof'
import * as systems from 'lightproof/systems'
import * as workers from 'lightproof/workers'
import { timeChecks } from './time.mjs'

const how = JSON.parse(decodeURIComponent(location.search.slice(1)))
const files = await (await fetch('files.json')).json()
timeChecks({ ...lightproof, ...systems, ...workers }, files, how).then(
  (times) => Object.assign(window, { times }),
  (error) => Object.assign(window, { times: String(error) }),
)
