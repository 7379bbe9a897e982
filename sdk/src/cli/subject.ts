/** Clients under attack. */

/** What a client said when it was asked once. */
export type Answer =
  | { readonly ended: 'answered'; readonly output: string }
  | { readonly ended: 'refused'; readonly why: string }

/** A client under attack: asked once of the node at the URL. */
export type Subject = (url: string, signal: AbortSignal) => Promise<Answer>
