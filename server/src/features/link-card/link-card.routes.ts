import { content } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serveWaiting } from '../../infra/http/serve-waiting.ts'
import { fetchCard } from './fetch-card.ts'

/** Shows the card of a link before it is published: what is fetched here is what a post fetches when it is prepared. */
export function linkCardRoutes(app: FastifyInstance, ctx: Context): void {
  serveWaiting(app, ctx, content.linkCard, async ({ principal: { workspaceId }, query: { url } }) => {
    const { title, description, picture } = await fetchCard(ctx, { workspaceId, url })
    return { url, title, description, picture: picture && dataUrl(picture.mimeType, await picture.read()) }
  })
}

/** The picture is in no storage, and a page that shows the address of a foreign one would tell its server who writes about it. */
function dataUrl(mimeType: string, bytes: Uint8Array): string {
  return `data:${mimeType};base64,${Buffer.from(bytes).toString('base64')}`
}
