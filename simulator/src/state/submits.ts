/**
 * `created`: the platform carried the call out and answered. `dropped_after`: it carried the call out, but the caller received no usable
 * answer. `repeated`: it recognised an earlier call and added no post. `refused`: it answered with an error. `dropped_before`: a fault
 * ended the call before the platform acted on it.
 */
const submitOutcomes = ['created', 'repeated', 'refused', 'dropped_before', 'dropped_after'] as const
type SubmitOutcome = (typeof submitOutcomes)[number]

/** What a call asks a platform to publish. Routes read it before anything decides about the call. */
export type SubmitRequest = {
  /** What was called, for example `create_status` or `publish_container`. */
  operation: string
  text: string
  /** What lets the platform recognise a second call: an idempotency key, a record key, a container or a publish id. */
  key: string | null
  replyTo: string | null
  /** The handle the post is published as, if it is not the account of the token. */
  account?: string | undefined
}

export type Submit = {
  platform: string
  /** The handle; null if the call had no known token. */
  account: string | null
  operation: string
  /** When the call arrived, in real time. */
  atMs: number
  /** When the whole answer was handed to the connection; null if it was not. */
  answeredAtMs: number | null
  /** The host and port that the caller named. Callers with different addresses for the simulator can be told apart. */
  host: string | null
  text: string
  key: string | null
  replyTo: string | null
  outcome: SubmitOutcome
  /** The post this call created. A platform that processes media first creates it later, or never. */
  postId: string | null
  /** The kind of the fault that was applied to the call. */
  fault: string | null
  /** The status that a fault answered with, if it chose one. */
  faultStatus: number | null
}

/** The part of a call that a new post is recorded with. */
export type SubmitSource = { readonly arrivedAtMs: number; readonly submit: Submit | undefined }

/** Every call to a publishing operation, oldest first, whatever became of it. */
export class Submits {
  #all: Submit[] = []

  /** The outcome is `dropped_before` until the platform has decided about the call. */
  add(
    request: SubmitRequest,
    call: { platform: string; account: string | undefined; atMs: number; host?: string | undefined },
  ): Submit {
    const { operation, text, key, replyTo, account = call.account ?? null } = request
    const { platform, atMs, host = null } = call
    const submit: Submit = {
      platform,
      account,
      operation,
      atMs,
      answeredAtMs: null,
      host,
      text,
      key,
      replyTo,
      outcome: 'dropped_before',
      postId: null,
      fault: null,
      faultStatus: null,
    }
    this.#all.push(submit)
    return submit
  }

  all(): readonly Submit[] {
    return this.#all
  }

  restore(all: Submit[]): void {
    this.#all = all
  }

  clear(): void {
    this.#all = []
  }
}

export function isCarriedOut({ outcome }: Submit): boolean {
  return outcome === 'created' || outcome === 'dropped_after'
}

/** A handler calls this if it answers with an earlier post, or changes one, instead of adding a post. */
export function markRepeated({ submit }: SubmitSource): void {
  if (submit) submit.outcome = 'repeated'
}
