import { expectTypeOf, test } from 'vitest'
import type { Carillon } from './create-carillon.ts'
import type { Accepted, AcceptedAsync, AcceptedDraft, AcceptedSync, Post, Webhook } from './types.gen.ts'

/** Guarantee: the result type of a call follows from its arguments. */
test('the result type of a create depends on saveDraft and async', () => {
  type CreateText = Carillon['content']['createText']
  const create = (async () => ({})) as unknown as CreateText
  const text = { connections: ['x-thetower'], text: 'hello' }
  expectTypeOf(create(text)).resolves.toEqualTypeOf<AcceptedSync>()
  expectTypeOf(create({ ...text, async: true })).resolves.toEqualTypeOf<AcceptedAsync>()
  expectTypeOf(create({ ...text, saveDraft: true })).resolves.toEqualTypeOf<AcceptedDraft>()
  const saveDraft: boolean = text.text === ''
  expectTypeOf(create({ ...text, saveDraft })).resolves.toEqualTypeOf<Accepted>()
})

test('other methods return the named types', () => {
  expectTypeOf<Carillon['content']['get']>().returns.resolves.toEqualTypeOf<Post>()
  expectTypeOf<Carillon['webhooks']['list']>().returns.resolves.toEqualTypeOf<Webhook[]>()
  expectTypeOf<Carillon['webhooks']['remove']>().returns.resolves.toEqualTypeOf<null>()
})
