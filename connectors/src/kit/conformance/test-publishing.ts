import { writeWarning } from '@carillon/contract'
import { describe, expect, test } from 'vitest'
import type { Connector, Outcome } from '../connector.ts'
import {
  draftFor,
  find,
  mediaFor,
  newHandle,
  newText,
  openTestAccount,
  publish,
  publishAndGetId,
  findVisiblePosts,
  send,
  waitUntilSettled,
  stage,
} from './test-account.ts'
import type { TestPlatform } from './test-platform.ts'

/** Guarantee: the post that people see is the draft that was sent, and the platform's limits are the manifest's. */
export function testPublishing(connector: Connector, testPlatform: TestPlatform): void {
  const { manifest } = connector
  const altOf = (alt: string) => (testPlatform.showsAlt ? alt : '')

  describe('publishing', () => {
    test('account() returns the connected account', async () => {
      const { client } = await openTestAccount(connector, testPlatform)
      const account = await connector.account(client)
      expect(account.id).toBe(client.account.id)
      expect(account.handle.startsWith(client.account.handle)).toBe(true)
      expect(account.displayName).not.toBe('')
    })

    test('a post appears once and has a URL', async () => {
      const testAccount = await openTestAccount(connector, testPlatform)
      const draft = draftFor(testAccount)
      const outcome = await publish(testAccount, draft)
      expect(outcome).toMatchObject({ state: 'published', postUrl: expect.stringMatching(/^https?:\/\//) })
      expect(await findVisiblePosts(testAccount, draft.text)).toHaveLength(1)
    })

    test('a text at the limit is accepted, one character more is refused', async () => {
      const testAccount = await openTestAccount(connector, testPlatform)
      const longest = withParagraphs(newText().padEnd(manifest.text.max, 'a'), testPlatform.paragraphMax)
      await expect(publish(testAccount, draftFor(testAccount, { text: longest }))).resolves.toMatchObject({ state: 'published' })
      await expect(publish(testAccount, draftFor(testAccount, { text: `${longest}a` }))).rejects.toMatchObject({
        name: 'PlatformError',
        kind: 'rejected',
        message: expect.stringContaining(manifest.name),
      })
      expect(await findVisiblePosts(testAccount, longest)).toHaveLength(1)
    })

    test.runIf(manifest.can.linkUrl)('a post with a link is published', async () => {
      const testAccount = await openTestAccount(connector, testPlatform)
      const draft = draftFor(testAccount, { linkUrl: 'https://carillon.example/bells?hour=12' })
      await expect(publish(testAccount, draft)).resolves.toMatchObject({ state: 'published' })
    })

    const { linkCard } = manifest
    test.runIf(linkCard)('a link card has the title, the description and the picture of its page', async () => {
      const testAccount = await openTestAccount(connector, testPlatform)
      const url = 'https://carillon.example/bells?hour=12'
      const texts = { title: 'Bells & "towers"', description: 'On the hour.' }
      const card = { ...texts, picture: mediaFor(testPlatform, 'image', ''), lost: null }
      const draft = draftFor(testAccount, { linkUrl: url, card })
      await expect(publish(testAccount, draft)).resolves.toMatchObject({ state: 'published', warnings: [] })
      const [seen] = await findVisiblePosts(testAccount, draft.text)
      expect(seen).toMatchObject({ media: [], link: { url, ...texts, picture: expect.any(String) } })
    })

    test.runIf(linkCard)(
      'texts of a page that are too long for the card are cut, and the limits are those of the platform',
      async () => {
        const testAccount = await openTestAccount(connector, testPlatform)
        const long = 'bell '.repeat(2000)
        const card = { title: long, description: long, picture: null, lost: null }
        const draft = draftFor(testAccount, { linkUrl: 'https://carillon.example/', card })
        await expect(publish(testAccount, draft)).resolves.toMatchObject({ state: 'published', warnings: [] })
        const [{ link } = { link: null }] = await findVisiblePosts(testAccount, draft.text)
        expect(link?.title).toHaveLength(linkCard?.titleMax ?? NaN)
        expect(link?.title?.endsWith('bell…')).toBe(true)
        expect(link?.description?.length).toBeLessThanOrEqual(linkCard?.descriptionMax ?? 0)
      },
    )

    test.runIf(linkCard)('a page that cannot be read leaves a card with the address, and a warning', async () => {
      const testAccount = await openTestAccount(connector, testPlatform)
      const card = { title: null, description: null, picture: null, lost: 'page' } as const
      const draft = draftFor(testAccount, { linkUrl: 'https://carillon.example/bells', card })
      const warnings = [writeWarning('link_card_bare', { platform: manifest.name })]
      await expect(publish(testAccount, draft)).resolves.toMatchObject({ state: 'published', warnings })
      const [seen] = await findVisiblePosts(testAccount, draft.text)
      expect(seen?.link).toMatchObject({ url: 'https://carillon.example/bells', title: 'carillon.example' })
      expect(seen?.link?.picture).toBeUndefined()
    })

    // The server counts the final text, link included, so a connector that added the link would send what was not counted.
    const linkUrl = 'https://example.com/a_'
    const formats = manifest.formats.filter((format) => format === 'text' || format === 'photo')
    test.for(formats.flatMap((format) => [`a ${linkUrl} b`, 'no link'].map((text) => ({ format, text }))))(
      'the text of a post with a link is sent as given: $format, "$text"',
      async ({ format, text }) => {
        const testAccount = await openTestAccount(connector, testPlatform)
        const draft = draftFor(testAccount, { format, text: `${newText()} ${text}`, linkUrl })
        await publish(testAccount, draft)
        expect(await findVisiblePosts(testAccount, draft.text)).toHaveLength(1)
      },
    )

    test.runIf(manifest.can.firstComment)('a first comment is a reply to the post', async () => {
      const testAccount = await openTestAccount(connector, testPlatform)
      const postId = await publishAndGetId(testAccount, draftFor(testAccount))
      const comment = draftFor(testAccount, { replyTo: { postId } })
      await publish(testAccount, comment)
      const [seen] = await findVisiblePosts(testAccount, comment.text)
      expect(seen?.replyTo).not.toBeNull()
    })

    test.runIf(manifest.photos !== null)('an image appears with its alt text', async () => {
      const testAccount = await openTestAccount(connector, testPlatform)
      const draft = draftFor(testAccount, { format: 'photo', media: [mediaFor(testPlatform, 'image', 'A bronze bell')] })
      await publish(testAccount, draft)
      const [seen] = await findVisiblePosts(testAccount, draft.text)
      expect(seen?.media).toMatchObject([{ alt: altOf('A bronze bell') }])
    })

    test.runIf(manifest.formats.includes('photo_carousel'))('several images keep their order', async () => {
      const testAccount = await openTestAccount(connector, testPlatform)
      const draft = draftFor(testAccount, {
        format: 'photo_carousel',
        media: [mediaFor(testPlatform, 'image', 'First'), mediaFor(testPlatform, 'image', 'Second')],
      })
      await publish(testAccount, draft)
      const [seen] = await findVisiblePosts(testAccount, draft.text)
      expect(seen?.media).toMatchObject([{ alt: altOf('First') }, { alt: altOf('Second') }])
    })

    test.runIf(manifest.formats.includes('video'))('a video appears once the platform has converted it', async () => {
      const testAccount = await openTestAccount(connector, testPlatform)
      const draft = draftFor(testAccount, { format: 'video', media: [mediaFor(testPlatform, 'video', 'A bell rings')] })
      await publish(testAccount, draft)
      const [seen] = await findVisiblePosts(testAccount, draft.text)
      // Many platforms have alt text for images only.
      expect(['', 'A bell rings']).toContain(seen?.media[0]?.alt)
    })

    test.runIf(manifest.formats.includes('document'))('a document appears under its title', async () => {
      const testAccount = await openTestAccount(connector, testPlatform)
      const draft = draftFor(testAccount, { format: 'document', title: 'On bells' })
      await publish(testAccount, draft)
      const [seen] = await findVisiblePosts(testAccount, draft.text)
      expect(seen?.media).toMatchObject([{ alt: 'On bells' }])
    })

    const { aiLabel } = manifest
    const labelled = aiLabel?.formats.map((format) => ({ format })) ?? []
    test.for(labelled)(
      'a post made with AI has the label of the platform, and another one has none: $format',
      async ({ format }) => {
        const testAccount = await openTestAccount(connector, testPlatform)
        const isLabelled = async (isMadeWithAi: boolean) => {
          const draft = draftFor(testAccount, {
            format,
            ...(format === 'photo_carousel' && { media: [1, 2].map(() => mediaFor(testPlatform, 'image', '')) }),
          })
          const settings = { ...draft.settings, [aiLabel?.setting ?? '']: isMadeWithAi }
          await publish(testAccount, { ...draft, settings })
          const [seen] = await findVisiblePosts(testAccount, draft.text)
          const labels = Object.entries(seen?.options ?? {}).filter(([name]) =>
            /\b(is_aigc|made_with_ai|is_ai_generated|containsSyntheticMedia)$/.test(name),
          )
          return labels.some(([, value]) => value === 'yes')
        }
        expect([await isLabelled(true), await isLabelled(false)]).toEqual([true, false])
      },
    )

    test.runIf('find' in connector)('a published post is found, an unpublished one is not', async () => {
      const testAccount = await openTestAccount(connector, testPlatform)
      const sent = { draft: draftFor(testAccount), staged: null, handle: newHandle() }
      const unsent = { ...sent, draft: draftFor(testAccount), handle: newHandle() }
      const staged = await stage(testAccount, sent.draft)
      const outcome = await waitUntilSettled(testAccount, await send(testAccount, { ...sent, staged }))
      expect(await find(testAccount, { ...sent, staged })).toMatchObject({
        state: 'published',
        ...idOf(outcome),
      })
      const missing = await find(testAccount, { ...unsent, staged: await stage(testAccount, unsent.draft) })
      expect(['absent', 'unknown']).toContain(missing.state)
    })

    test.runIf(manifest.can.remove)('a removed post is no longer visible', async () => {
      const testAccount = await openTestAccount(connector, testPlatform)
      const draft = draftFor(testAccount)
      await connector.remove?.(testAccount.client, await publishAndGetId(testAccount, draft))
      expect((await findVisiblePosts(testAccount, draft.text)).filter((post) => !post.deleted)).toHaveLength(0)
    })

    test.runIf(manifest.can.metrics)('metrics() returns only metrics that the manifest names', async () => {
      const testAccount = await openTestAccount(connector, testPlatform)
      const postId = await publishAndGetId(testAccount, draftFor(testAccount))
      const read = async () => Object.keys((await connector.metrics?.(testAccount.client, [postId]))?.get(postId) ?? {})
      // A platform may need a moment before it has figures.
      await expect.poll(read, { timeout: 3000, interval: 250 }).not.toHaveLength(0)
      const names = await read()
      for (const name of names) expect(Object.keys(manifest.metrics)).toContain(name)
    })
  })
}

/** Breaks a text of the same length into paragraphs. */
function withParagraphs(text: string, lengthMax: number | null): string {
  if (lengthMax === null) return text
  return Array.from(text, (character, at) => (at > 1 && at % lengthMax < 2 ? '\n' : character)).join('')
}

function idOf(outcome: Outcome) {
  return outcome.state === 'published' ? { postId: outcome.postId, postUrl: outcome.postUrl } : {}
}
