import type { Media } from '@carillon/connectors'
import { fitFormat, mediaRules, takesAltText } from '@carillon/core'
import { findRules } from '../../connections/capabilities/find-rules.ts'
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
export async function openFiles(ctx: Context, { channel, post, connection: access }: LoadedChannel): Promise<OpenedFiles> {
  if (post.type === 'text' || channel.number > 0) return { media: [], violations: [], announced: [] }
  const rules = await findRules(ctx, { workspaceId: access.workspace_id, id: access.id, platform: access.platform })
  const { contentFormat } = fieldsForChannel(fieldsFromRow(post), channel.connection_slug)
  const format = fitFormat({ type: post.type, format: contentFormat }, rules)
  const connection = channel.connection_slug
  const hasOwn = hasOwnFiles(post.platform_options[connection])
  const files = await findChannelMedia(ctx, { workspaceId: post.workspace_id, postId: post.id, connection, hasOwn })
  const opened: OpenedFiles = { media: [], violations: [], announced: [] }
  if (channel.media_count !== null && files.length < channel.media_count)
    opened.violations.push('A file of this post was deleted.')
  for (const { row, alt } of files) {
    const fileRules = mediaRules({ kind: row.type, mimeType: row.mime_type }, format, rules)
    // A file that was fetched from its URL is known only now.
    if (post.type === 'photo' && row.type === 'video' && !rules.mixedCarousel)
      opened.violations.push(`${rules.name} takes no video among photos.`)
    else if (!fileRules) opened.violations.push(`${rules.name} takes no ${row.type}s.`)
    else {
      opened.announced.push(...previewRendition(row, fileRules).changes.map(({ message }) => changeWarning(message, rules)))
      const altRules = { isTaken: takesAltText({ kind: row.type }, { format }, rules), max: rules.altText.max }
      const prepared = await prepareMedia(ctx, { row, alt }, fileRules, altRules)
      if (prepared.ok) opened.media.push(prepared.media)
      else opened.violations.push(...prepared.violations)
    }
  }
  return opened
}
