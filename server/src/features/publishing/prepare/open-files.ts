import type { Media } from '@carillon/connectors'
import { mediaRules } from '@carillon/core'
import { connectorOf } from '../../connections/open-client.ts'
import type { Context } from '../../../context.ts'
import { findChannelMedia } from '../../media/attached-media.ts'
import { prepareMedia } from '../../media/prepare-media.ts'
import type { LoadedChannel } from '../open-channel.ts'
import { fieldsForChannel, fieldsFromRow } from '../../posts/post-fields.ts'

export type OpenedFiles = { media: Media[]; violations: string[] }

/** A channel's files in the form its platform takes. Made once and kept, so that asking again is cheap. */
export async function openFiles(ctx: Context, { channel, post }: LoadedChannel): Promise<OpenedFiles> {
  if (post.type === 'text') return { media: [], violations: [] }
  const { manifest } = connectorOf(ctx, channel.platform)
  const { contentFormat } = fieldsForChannel(fieldsFromRow(post), channel.connection_slug)
  const connection = channel.connection_slug
  const hasOwn = post.platform_options[connection]?.medias !== undefined
  const files = await findChannelMedia(ctx, { workspaceId: post.workspace_id, postId: post.id, connection, hasOwn })
  const opened: OpenedFiles = { media: [], violations: [] }
  if (channel.media_count !== null && files.length < channel.media_count)
    opened.violations.push('A file of this post was deleted.')
  for (const { row, alt } of files) {
    const rules = mediaRules(row.type, contentFormat, manifest)
    if (!rules) opened.violations.push(`${manifest.name} takes no ${row.type}s.`)
    else {
      const prepared = await prepareMedia(ctx, { row, alt }, rules, manifest.altTextMax)
      if (prepared.ok) opened.media.push(prepared.media)
      else opened.violations.push(...prepared.violations)
    }
  }
  return opened
}
