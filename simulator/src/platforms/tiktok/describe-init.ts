import { isFields, textOf, type Fields } from '../../http/fields.ts'
import type { Description } from '../../platform.ts'

/** What TikTok calls the title of a video is its text. Only photos have a title beside their text. */
export function describeInit({ post_info, media_type }: Fields): Description {
  const info: Fields = isFields(post_info) ? post_info : {}
  return {
    title: media_type === 'PHOTO' ? textOf(info['title']) : undefined,
    visibility: textOf(info['privacy_level']),
    hidden: ['post_info.title', 'post_info.description', 'post_info.privacy_level', 'source_info', 'media_type', 'post_mode'],
  }
}
