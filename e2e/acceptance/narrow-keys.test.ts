import { CarillonError, createCarillon, type ApiKey, type GrantableScope } from '@carillon/sdk'
import { describe, expect, test } from 'vitest'
import {
  bluesky,
  carillon,
  findPlatformPosts,
  mastodon,
  testStack,
  timeAfter,
  uniqueText,
  waitUntilFinished,
} from '../test-stack.ts'

type Limits = NonNullable<ApiKey['limits']>

/** A client for a program, with a key that was made for it. */
async function openProgram(more: { scopes?: GrantableScope[]; limits?: Limits }) {
  const made = await carillon.workspaces.createApiKey(testStack.workspaceId, { label: uniqueText('agent'), ...more })
  return createCarillon({ baseUrl: testStack.baseUrl, apiKey: made.key ?? '', workspaceId: testStack.workspaceId })
}

/** The code with which a request was refused, or `ok`. */
async function codeOf(request: Promise<unknown>): Promise<string> {
  try {
    await request
    return 'ok'
  } catch (error) {
    if (error instanceof CarillonError) return error.code
    throw error
  }
}

/** Guarantee: a program with a narrow key is held to it by the real service, and what it may do still reaches the platform. */
describe('a narrow key', () => {
  test('for drafts writes a draft, which a person publishes', async () => {
    const agent = await openProgram({ scopes: ['content:draft'] })
    const text = uniqueText('draft of an agent')
    const made = await agent.content.createText({ connections: [mastodon], text, saveDraft: true })
    const id = 'draftId' in made ? made.draftId : ''
    expect(await codeOf(agent.content.publish(id))).toBe('scope_missing')
    expect(await codeOf(agent.content.createText({ connections: [mastodon], text }))).toBe('scope_missing')
    expect(await codeOf(agent.content.update(id, { title: 'Looked at again' }))).toBe('ok')
    await carillon.content.publish(id)
    expect((await waitUntilFinished(id)).status).toBe('completed')
    expect(await findPlatformPosts(text)).toHaveLength(1)
    expect(await codeOf(agent.content.remove(id))).toBe('scope_missing')
  })

  test('for one account does not touch a post of another', async () => {
    const agent = await openProgram({ limits: { connections: [mastodon] } })
    const text = uniqueText('two accounts')
    expect(await codeOf(agent.content.createText({ connections: [mastodon, bluesky], text }))).toBe('connection_not_allowed')
    const made = await carillon.content.createText({ connections: [bluesky], text, scheduledAt: timeAfter(3_600_000) })
    const id = 'uploadId' in made ? made.uploadId : ''
    expect(await codeOf(agent.content.publishNow(id))).toBe('connection_not_allowed')
    expect(await codeOf(agent.content.remove(id, { unpublish: 'true' }))).toBe('connection_not_allowed')
    const verdict = await agent.content.validate({ type: 'text', connections: [mastodon, bluesky], text })
    expect(verdict.connections.map(({ violations }) => violations.map(({ code }) => code))).toEqual([
      [],
      ['connection_not_allowed'],
    ])
    await carillon.content.remove(id)
  })

  test('with a number of posts a day and no repeated text sends each text once, also in parallel', async () => {
    const agent = await openProgram({ limits: { postsPerDay: 2, onDuplicate: 'refuse' } })
    const text = uniqueText('the agent repeats itself')
    const send = (words: string) => agent.content.createText({ connections: [mastodon], text: words })
    const codes = await Promise.all(Array.from({ length: 12 }, () => codeOf(send(text))))
    expect(codes.toSorted()).toEqual([...Array.from({ length: 11 }, () => 'duplicate_refused'), 'ok'])
    expect(await codeOf(send(uniqueText('something else')))).toBe('ok')
    expect(await codeOf(send(uniqueText('one too many')))).toBe('key_limit_reached')
    await expect.poll(() => findPlatformPosts(text), { timeout: 30_000, interval: 500 }).toHaveLength(1)
  })

  test('with hours publishes nothing outside of them', async () => {
    const at = (hours: number) => timeAfter(hours * 3_600_000).slice(11, 16)
    const { timezone } = await carillon.workspaces.get(testStack.workspaceId)
    expect(timezone).toBe('UTC')
    const agent = await openProgram({ limits: { hours: { from: at(2), to: at(5) } } })
    const send = (scheduledAt?: string) =>
      codeOf(
        agent.content.createText({ connections: [mastodon], text: uniqueText('hours'), ...(scheduledAt && { scheduledAt }) }),
      )
    expect(await send()).toBe('hours_not_allowed')
    expect(await send(timeAfter(6 * 3_600_000))).toBe('hours_not_allowed')
    expect(await send(timeAfter(3 * 3_600_000))).toBe('ok')
  })
})
