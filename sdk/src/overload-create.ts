import type { CallOptions } from './operation.ts'
import type { Accepted, AcceptedAsync, AcceptedDraft, AcceptedSync } from './types.gen.ts'

type CreateModes = { saveDraft?: boolean; async?: boolean }

/** The result type of a create call depends on its body: a draft, an asynchronous create, or a synchronous one with the id of the post. */
export type Create<Body extends CreateModes> = {
  (body: Body & { saveDraft?: false; async?: false }, options?: CallOptions): Promise<AcceptedSync>
  (body: Body & { saveDraft?: false; async: true }, options?: CallOptions): Promise<AcceptedAsync>
  (body: Body & { saveDraft: true }, options?: CallOptions): Promise<AcceptedDraft>
  (body: Body, options?: CallOptions): Promise<Accepted>
}

/** Gives a create method the overloads of `Create`. At runtime it only forwards the call. */
export function overloadCreate<Body extends CreateModes>(
  create: (body: Body, options?: CallOptions, ...more: []) => Promise<Accepted>,
): Create<Body> {
  function overloaded(body: Body & { saveDraft?: false; async?: false }, options?: CallOptions): Promise<AcceptedSync>
  function overloaded(body: Body & { saveDraft?: false; async: true }, options?: CallOptions): Promise<AcceptedAsync>
  function overloaded(body: Body & { saveDraft: true }, options?: CallOptions): Promise<AcceptedDraft>
  function overloaded(body: Body, options?: CallOptions): Promise<Accepted>
  function overloaded(body: Body, options?: CallOptions, ...more: []): Promise<Accepted> {
    return create(body, options, ...more)
  }
  return overloaded
}
