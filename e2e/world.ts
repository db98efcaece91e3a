import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createCarillon, type Post } from '@carillon/sdk'
import type { StackInfo } from '@carillon/stack'
import type { PostView } from '@carillon/simulator'
import type { DoomedDelivery } from './rig/doomed-delivery.ts'
import type { RealConnections } from './rig/real-servers.ts'

type World = StackInfo & { real: RealConnections; doomed: DoomedDelivery }

/** The stack the tests speak to, as `pnpm e2e` started it. */
export const world: World = JSON.parse(readFileSync(process.env['CARILLON_WORLD'] ?? '', 'utf8'))

export const carillon = createCarillon({ baseUrl: world.baseUrl, apiKey: world.apiKey, workspaceId: world.workspaceId })
export const stranger = createCarillon({ baseUrl: world.baseUrl, apiKey: world.otherApiKey, workspaceId: world.otherWorkspaceId })

export const [bluesky = '', mastodon = '', threads = '', x = ''] = ['bluesky', 'mastodon', 'threads', 'x'].map(
  (platform) => world.connections.find((slug) => slug.startsWith(`${platform}-`)) ?? '',
)
export const textConnections = [bluesky, mastodon, threads, x]

/** A text nobody wrote before, so that it can be found again. */
export function unique(what: string): string {
  return `${what} ${randomBytes(6).toString('hex')}`
}

export function ahead(ms: number): string {
  return new Date(Date.now() + ms).toISOString()
}

/** Waits until a post has ended, and gives it. */
export async function finished(id: string, timeoutMs = 45_000): Promise<Post> {
  await carillon.content.waitUntilFinished(id, { timeoutMs })
  return carillon.content.get(id)
}

/** What the simulated platforms really have. */
export async function onPlatforms(text: string, simulatorUrl = world.simulatorUrl): Promise<PostView[]> {
  const response = await fetch(`${simulatorUrl}/_control/posts?text=${encodeURIComponent(text)}`)
  return (await response.json()) as PostView[]
}

export async function control(method: string, path: string, body?: unknown): Promise<{ id: string }> {
  const response = await fetch(`${world.simulatorUrl}/_control/${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  if (!response.ok) throw new Error(`simulator: ${response.status} ${await response.text()}`)
  return response.status === 204 ? { id: '' } : ((await response.json()) as { id: string })
}
