/**
 * Times clients task by task, in turn, by the processor's clock: a busy machine must not decide who
 * wins.
 */

/** @typedef {import('./types.js').TaskName} TaskName */

/** @type {readonly TaskName[]} */
export const TASKS = ['bootstrap', 'cold', 'cached', 'finality']

/**
 * Microseconds of each task of each client, one sample a round.
 *
 * @param {readonly import('./types.js').Tasks[]} clients
 * @param {number} rounds
 * @returns {Record<TaskName, number[][]>} by task, in the order of the clients; none of a task that a client lacks
 */
export function measureTasks(clients, rounds) {
  /** @returns {number[][]} */
  const none = () => clients.map(() => [])
  const samples = { bootstrap: none(), cold: none(), cached: none(), finality: none() }
  // One round more: in the first one the engines' code is compiled.
  for (let round = 0; round <= rounds; round++) {
    for (const name of TASKS) {
      for (const [i, tasks] of clients.entries()) {
        const task = tasks[name]
        if (task === undefined) continue
        const us = timed(task)
        if (round > 0) samples[name][i]?.push(us)
      }
    }
  }
  return samples
}

/** @param {import('./types.js').Task} task */
function timed(task) {
  const run = task()
  const began = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(began)
  return user + system
}
