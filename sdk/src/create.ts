import type { CallOptions } from './operation.ts'
import type { Accepted, AcceptedAsync, AcceptedDraft, AcceptedSync } from './types.gen.ts'

type Choices = { saveDraft?: boolean; async?: boolean }

/** What a create answers depends on what was asked for: a draft, a place in the queue, or the post's id at once. */
export type Create<Body extends Choices> = {
  (body: Body & { saveDraft?: false; async?: false }, options?: CallOptions): Promise<AcceptedSync>
  (body: Body & { saveDraft?: false; async: true }, options?: CallOptions): Promise<AcceptedAsync>
  (body: Body & { saveDraft: true }, options?: CallOptions): Promise<AcceptedDraft>
  (body: Body, options?: CallOptions): Promise<Accepted>
}

export function overloadCreate<Body extends Choices>(
  create: (body: Body, options?: CallOptions) => Promise<Accepted>,
): Create<Body> {
  function choose(body: Body & { saveDraft?: false; async?: false }, options?: CallOptions): Promise<AcceptedSync>
  function choose(body: Body & { saveDraft?: false; async: true }, options?: CallOptions): Promise<AcceptedAsync>
  function choose(body: Body & { saveDraft: true }, options?: CallOptions): Promise<AcceptedDraft>
  function choose(body: Body, options?: CallOptions): Promise<Accepted>
  function choose(body: Body, options?: CallOptions): Promise<Accepted> {
    return create(body, options)
  }
  return choose
}
