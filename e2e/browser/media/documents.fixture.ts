import type { Connection, Media } from '@carillon/sdk'
import type { Desk } from '../rig/desk.ts'
import { post } from '../rig/people.ts'
import { dayOfNextMonth, readApi } from '../rig/posts.ts'

/** A scheduled post with the newest file of the library, which is a PDF. */
export async function createDocumentPost(desk: Pick<Desk, 'context'>, workspaceId: string): Promise<string> {
  const { results } = await readApi<{ results: Media[] }>(desk, '/media', workspaceId)
  const connections = await readApi<Connection[]>(desk, `/workspaces/${workspaceId}/connections`, workspaceId)
  const linkedIn = connections.find(({ platform }) => platform === 'linkedin')?.slug ?? ''
  const body = {
    connections: [linkedIn],
    title: 'The programme of the year',
    medias: [results[0]?.id],
    scheduledAt: `${dayOfNextMonth(10)}T09:45`,
    timezone: 'Europe/Berlin',
  }
  const { data } = await post(desk.context, '/api/content/document', body, workspaceId)
  return (data as { uploadId: string }).uploadId
}
