import { expectTypeOf, test } from 'vitest'
import type { Carillon } from './create-carillon.ts'
import type { Accepted, AcceptedAsync, AcceptedDraft, AcceptedSync, Post, Webhook } from './types.gen.ts'

/** Guarantee: the type of an answer follows from what was asked for. */
test('a create answers by its options', () => {
  type CreateText = Carillon['content']['createText']
  const create = (async () => ({})) as unknown as CreateText
  const text = { connections: ['x-thetower'], text: 'hello' }
  expectTypeOf(create(text)).resolves.toEqualTypeOf<AcceptedSync>()
  expectTypeOf(create({ ...text, async: true })).resolves.toEqualTypeOf<AcceptedAsync>()
  expectTypeOf(create({ ...text, saveDraft: true })).resolves.toEqualTypeOf<AcceptedDraft>()
  const saveDraft: boolean = text.text === ''
  expectTypeOf(create({ ...text, saveDraft })).resolves.toEqualTypeOf<Accepted>()
})

test('other methods give the named types', () => {
  expectTypeOf<Carillon['content']['get']>().returns.resolves.toEqualTypeOf<Post>()
  expectTypeOf<Carillon['webhooks']['list']>().returns.resolves.toEqualTypeOf<Webhook[]>()
  expectTypeOf<Carillon['webhooks']['remove']>().returns.resolves.toEqualTypeOf<null>()
})
