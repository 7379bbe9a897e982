/**
 * Tells the caller's listener, after the code that runs now. What it throws, or a promise of its
 * that fails, disturbs nothing: a listener is told, not asked.
 */
export function tell<T>(listener: ((heard: T) => unknown) | undefined, heard: T): void {
  Promise.resolve(heard)
    .then(listener)
    .catch(() => undefined)
}
