import { describe, expect, test } from 'vitest'
import type { Connector, Outcome } from '../connector.ts'
import {
  draftFor,
  mediaFor,
  newHandle,
  newText,
  openActor,
  publish,
  publishedId,
  seenPosts,
  send,
  settled,
  stage,
} from './actor.ts'
import type { World } from './world.ts'

/** Guarantee: what was asked for is what people see, up to the platform's limit and not past it. */
export function testPublishing(connector: Connector, world: World): void {
  const { manifest } = connector
  const altOf = (alt: string) => (world.showsAlt ? alt : '')

  describe('publishing', () => {
    test('the account is the one connected', async () => {
      const { client } = await openActor(connector, world)
      const account = await connector.account(client)
      expect(account.id).toBe(client.account.id)
      expect(account.handle.startsWith(client.account.handle)).toBe(true)
      expect(account.displayName).not.toBe('')
    })

    test('a post appears once, at an address', async () => {
      const actor = await openActor(connector, world)
      const draft = draftFor(actor)
      const outcome = await publish(actor, draft)
      expect(outcome).toMatchObject({ state: 'published', postUrl: expect.stringMatching(/^https?:\/\//) })
      expect(await seenPosts(actor, draft.text)).toHaveLength(1)
    })

    test('a text at the limit is taken, one past it is refused', async () => {
      const actor = await openActor(connector, world)
      const longest = newText().padEnd(manifest.text.max, 'a')
      await expect(publish(actor, draftFor(actor, { text: longest }))).resolves.toMatchObject({ state: 'published' })
      await expect(publish(actor, draftFor(actor, { text: `${longest}a` }))).rejects.toMatchObject({
        name: 'PlatformError',
        kind: 'rejected',
        message: expect.stringContaining(manifest.name),
      })
      expect(await seenPosts(actor, longest)).toHaveLength(1)
    })

    test.runIf(manifest.can.linkUrl)('a link goes with the post', async () => {
      const actor = await openActor(connector, world)
      const draft = draftFor(actor, { linkUrl: 'https://carillon.example/bells?hour=12' })
      await expect(publish(actor, draft)).resolves.toMatchObject({ state: 'published' })
    })

    // The server counts the final text, link included, so a connector that added the link would send what was not counted.
    const linkUrl = 'https://example.com/a_'
    const formats = manifest.formats.filter((format) => format === 'text' || format === 'photo')
    test.for(formats.flatMap((format) => [`a ${linkUrl} b`, 'no link'].map((text) => ({ format, text }))))(
      'the text of a post with a link is sent as given: $format, "$text"',
      async ({ format, text }) => {
        const actor = await openActor(connector, world)
        const draft = draftFor(actor, { format, text: `${newText()} ${text}`, linkUrl })
        await publish(actor, draft)
        expect(await seenPosts(actor, draft.text)).toHaveLength(1)
      },
    )

    test.runIf(manifest.can.firstComment)('a first comment answers the post', async () => {
      const actor = await openActor(connector, world)
      const postId = await publishedId(actor, draftFor(actor))
      const comment = draftFor(actor, { replyTo: { postId } })
      await publish(actor, comment)
      const [seen] = await seenPosts(actor, comment.text)
      expect(seen?.replyTo).not.toBeNull()
    })

    test.runIf(manifest.photos !== null)('an image appears with its alt text', async () => {
      const actor = await openActor(connector, world)
      const draft = draftFor(actor, { format: 'photo', media: [mediaFor(world, 'image', 'A bronze bell')] })
      await publish(actor, draft)
      const [seen] = await seenPosts(actor, draft.text)
      expect(seen?.media).toMatchObject([{ alt: altOf('A bronze bell') }])
    })

    test.runIf(manifest.formats.includes('photo_carousel'))('several images keep their order', async () => {
      const actor = await openActor(connector, world)
      const draft = draftFor(actor, {
        format: 'photo_carousel',
        media: [mediaFor(world, 'image', 'First'), mediaFor(world, 'image', 'Second')],
      })
      await publish(actor, draft)
      const [seen] = await seenPosts(actor, draft.text)
      expect(seen?.media).toMatchObject([{ alt: altOf('First') }, { alt: altOf('Second') }])
    })

    test.runIf(manifest.formats.includes('video'))('a video appears once the platform has converted it', async () => {
      const actor = await openActor(connector, world)
      const draft = draftFor(actor, { format: 'video', media: [mediaFor(world, 'video', 'A bell rings')] })
      await publish(actor, draft)
      const [seen] = await seenPosts(actor, draft.text)
      // Many platforms describe images only.
      expect(['', 'A bell rings']).toContain(seen?.media[0]?.alt)
    })

    test.runIf(manifest.formats.includes('document'))('a document appears under its title', async () => {
      const actor = await openActor(connector, world)
      const draft = draftFor(actor, { format: 'document', title: 'On bells' })
      await publish(actor, draft)
      const [seen] = await seenPosts(actor, draft.text)
      expect(seen?.media).toMatchObject([{ alt: 'On bells' }])
    })

    test.runIf('find' in connector)('a post that went out is found, one that did not is not', async () => {
      const actor = await openActor(connector, world)
      const sent = { draft: draftFor(actor), staged: null, handle: newHandle() }
      const unsent = { ...sent, draft: draftFor(actor), handle: newHandle() }
      const staged = await stage(actor, sent.draft)
      const outcome = await settled(actor, await send(actor, { ...sent, staged }))
      expect(await connector.find?.(actor.client, { ...sent, staged })).toMatchObject({ state: 'published', ...idOf(outcome) })
      const missing = await connector.find?.(actor.client, { ...unsent, staged: await stage(actor, unsent.draft) })
      expect(['absent', 'unknown']).toContain(missing?.state)
    })

    test.runIf(manifest.can.remove)('a removed post is gone', async () => {
      const actor = await openActor(connector, world)
      const draft = draftFor(actor)
      await connector.remove?.(actor.client, await publishedId(actor, draft))
      expect((await seenPosts(actor, draft.text)).filter((post) => !post.deleted)).toHaveLength(0)
    })

    test.runIf(manifest.can.metrics)('metrics name what the manifest names, and no more', async () => {
      const actor = await openActor(connector, world)
      const postId = await publishedId(actor, draftFor(actor))
      const read = async () => Object.keys((await connector.metrics?.(actor.client, [postId]))?.get(postId) ?? {})
      // A platform may need a moment before it has anything to say.
      await expect.poll(read, { timeout: 3000, interval: 250 }).not.toHaveLength(0)
      const names = await read()
      for (const name of names) expect(Object.keys(manifest.metrics)).toContain(name)
    })
  })
}

function idOf(outcome: Outcome) {
  return outcome.state === 'published' ? { postId: outcome.postId, postUrl: outcome.postUrl } : {}
}
