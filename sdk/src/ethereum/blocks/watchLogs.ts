import { parseParameters } from '../../actions/parameters.js'
import { looks, parseWatch, WATCH_PARAMETERS, type WatchParameters } from '../../actions/watch.js'
import type { Client } from '../../client/client.js'
import type { LogFilter } from '../../systems/body/types.js'
import { LogFollower, type LogNews } from './logNews.js'

/** A filter of logs, and how to watch. */
export interface WatchLogsParameters extends LogFilter, WatchParameters {}

/**
 * Watches the logs of a filter, from the block after the newest trusted one on: all of them, in
 * order. Logs of blocks that are left in a fork come again, as removed.
 *
 * @example
 * for await (const { data, removed } of watchLogs(client, { address: token, signal })) …
 *
 * @throws InputError for a malformed argument or a client that pins a block, PlatformError, or the
 *   reason of the signal.
 */
export function watchLogs(
  client: Client,
  parameters: WatchLogsParameters = {},
): AsyncGenerator<LogNews, never> {
  const names = ['address', 'topics', ...WATCH_PARAMETERS] as const
  const given = parseParameters(client, parameters, names)
  const watch = parseWatch(given)
  const { address, topics } = given
  // Checked by the search.
  const filter = {
    ...(address !== undefined && { address }),
    ...(topics !== undefined && { topics }),
  } as LogFilter
  const follower = new LogFollower(client, filter, watch.signal)
  return looks(watch, () => follower.next())
}
