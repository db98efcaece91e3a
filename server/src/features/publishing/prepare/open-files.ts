import type { Media } from '@carillon/connectors'
import { fitFormat, mediaRules, takesAltText } from '@carillon/core'
import { connectorOf } from '../../connections/connector-of.ts'
import type { Context } from '../../../context.ts'
import { findChannelMedia } from '../../media/attached-media.ts'
import { prepareMedia } from '../../media/prepare-media.ts'
import { previewRendition } from '../../media/preview-rendition.ts'
import type { LoadedChannel } from '../open-channel.ts'
import { changeWarning } from '../../posts/files/check-files.ts'
import { fieldsForChannel, fieldsFromRow, hasOwnFiles } from '../../posts/post-fields.ts'

export type OpenedFiles = {
  media: Media[]
  violations: string[]
  /** The warnings that were written when the post was created, about changes to its files. */
  announced: string[]
}

/** A channel's files in the form its platform takes. Made once and kept, so that asking again is cheap. */
export async function openFiles(ctx: Context, { channel, post }: LoadedChannel): Promise<OpenedFiles> {
  if (post.type === 'text' || channel.number > 0) return { media: [], violations: [], announced: [] }
  const { manifest } = connectorOf(ctx, channel.platform)
  const { contentFormat } = fieldsForChannel(fieldsFromRow(post), channel.connection_slug)
  const format = fitFormat({ type: post.type, format: contentFormat }, manifest)
  const connection = channel.connection_slug
  const hasOwn = hasOwnFiles(post.platform_options[connection])
  const files = await findChannelMedia(ctx, { workspaceId: post.workspace_id, postId: post.id, connection, hasOwn })
  const opened: OpenedFiles = { media: [], violations: [], announced: [] }
  if (channel.media_count !== null && files.length < channel.media_count)
    opened.violations.push('A file of this post was deleted.')
  for (const { row, alt } of files) {
    const rules = mediaRules({ kind: row.type, mimeType: row.mime_type }, format, manifest)
    if (!rules) opened.violations.push(`${manifest.name} takes no ${row.type}s.`)
    else {
      opened.announced.push(...previewRendition(row, rules).changes.map(({ message }) => changeWarning(message, manifest)))
      const altRules = { isTaken: takesAltText({ kind: row.type }, { format }, manifest), max: manifest.altText.max }
      const prepared = await prepareMedia(ctx, { row, alt }, rules, altRules)
      if (prepared.ok) opened.media.push(prepared.media)
      else opened.violations.push(...prepared.violations)
    }
  }
  return opened
}
