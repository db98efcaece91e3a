import type { BrowserContext } from 'playwright-core'
import { expect } from 'vitest'
import { callSimulator, uniqueText } from '../../test-stack.ts'
import { post } from '../rig/people.ts'

const figures = { likes: 7, comments: 3, shares: 2, impressions: 900, clicks: 40, saves: 5 }

type Group = { platform: string; collectedAt: string | null }

async function read<Data>(context: BrowserContext, path: string, workspaceId: string): Promise<Data> {
  const response = await context.request.get(path, { headers: { 'x-workspace-id': workspaceId } })
  return ((await response.json()) as { data: Data }).data
}

/** Publishes a post on these simulated platforms, and waits until it is there. */
export async function publishOn(context: BrowserContext, workspaceId: string, platforms: readonly string[]): Promise<string> {
  const text = uniqueText('noon')
  const all = await read<{ platform: string; slug: string }[]>(context, `/api/workspaces/${workspaceId}/connections`, workspaceId)
  const connections = all.filter(({ platform }) => platforms.includes(platform)).map(({ slug }) => slug)
  await post(context, '/api/content/text', { text, connections }, workspaceId)
  await expect.poll(async () => (await groupsOf(context, workspaceId)).length, { timeout: 30_000 }).toBe(platforms.length)
  for (const platform of platforms) await callSimulator('POST', 'figures', { platform, text, ...figures })
  return text
}

/** Fetches the figures from the platforms, and waits until they are here. */
export async function collectFigures(context: BrowserContext, workspaceId: string): Promise<void> {
  await post(context, '/api/analytics/sync', {}, workspaceId)
  await expect
    .poll(async () => (await groupsOf(context, workspaceId)).every(({ collectedAt }) => collectedAt !== null), {
      timeout: 30_000,
    })
    .toBe(true)
}

async function groupsOf(context: BrowserContext, workspaceId: string): Promise<Group[]> {
  return (await read<{ groups?: Group[] }>(context, '/api/analytics?by=platform', workspaceId)).groups ?? []
}
