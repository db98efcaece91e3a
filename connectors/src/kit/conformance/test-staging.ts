import type { ContentFormat } from '@carillon/contract'
import { describe, expect, test } from 'vitest'
import type { Connector, Draft } from '../connector.ts'
import type { TransportReply } from '../http.ts'
import { PlatformError } from '../platform-error.ts'
import { clientFor, draftFor, mediaFor, newHandle, openTestAccount, send, stage } from './test-account.ts'
import type { TestPlatform } from './test-platform.ts'

const page: TransportReply = { status: 200, headers: { 'content-type': 'text/html' }, text: async () => '<!doctype html>' }

type Spoil = (forward: () => Promise<TransportReply>) => Promise<TransportReply>

const spoilers: Readonly<Record<string, Spoil>> = {
  'is lost': async (forward) => {
    await forward()
    throw new Error('cut off')
  },
  'is a page for people': async (forward) => {
    await forward()
    return page
  },
  'is a page for people, of a call that was not carried out': async () => page,
}

/** Guarantee: a call of staging whose answer is lost or unreadable is made again, and is never taken for a refusal of the post. */
export function testStaging(connector: Connector, testPlatform: TestPlatform): void {
  /** A text has a link where that is staged: the picture of its card is uploaded too. */
  function draftOf(format: ContentFormat): Draft {
    const draft = draftFor({ connector, testPlatform }, { format })
    if (format !== 'text' || !connector.manifest.linkCard) return draft
    const card = { title: 'Bells', description: null, picture: mediaFor(testPlatform, 'image', ''), lost: null }
    return { ...draft, linkUrl: 'https://carillon.example/', card }
  }

  /** Stages with one answer spoilt, and sends what was staged. Null: there were fewer calls. */
  async function stageWith(spoiltCall: number, spoil: Spoil, format: ContentFormat): Promise<string | null> {
    const testAccount = await openTestAccount(connector, testPlatform)
    const { account, credentials } = testAccount.client
    let calls = 0
    const transport: TestPlatform['transport'] = (request) => {
      const forward = () => testPlatform.transport(request)
      return ++calls === spoiltCall ? spoil(forward) : forward()
    }
    const client = clientFor(connector, { ...testPlatform, transport }, account, credentials)
    const draft = draftOf(format)
    try {
      const staged = await stage({ ...testAccount, client }, draft)
      if (calls < spoiltCall) return null
      return (await send(testAccount, { draft, staged, handle: newHandle() })).state
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error
      return error.isTemporary ? 'unavailable' : error.kind
    }
  }

  const formats = connector.manifest.formats.filter((format) => connector.needsStage(draftOf(format)))
  const cases = formats.flatMap((format) => Object.entries(spoilers).map(([name, spoil]) => ({ format, name, spoil })))
  const harmless = ['published', 'processing', 'unknown', 'unavailable']

  describe.runIf(cases.length > 0)('staging', () => {
    test.for(cases)('$format: an answer that $name is no refusal, whichever it is', async ({ format, spoil }) => {
      const ends: string[] = []
      for (let call = 1; ; call++) {
        const ended = await stageWith(call, spoil, format)
        if (ended === null) break
        ends.push(ended)
      }
      // What is staged of a text may need no call.
      expect(ends.length).toBeGreaterThanOrEqual(format === 'text' ? 0 : 1)
      expect(ends.filter((end) => !harmless.includes(end))).toEqual([])
    })
  })
}
