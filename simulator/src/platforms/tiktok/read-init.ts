import { isFields, numberOf, textOf, textsOf, type Fields } from '../../http/fields.ts'
import type { Account } from '../../state/entities.ts'
import { privacyOptionsOf } from './creator.routes.ts'
import { invalidParams, refuseWith } from './errors.ts'

const wholeBytesMin = 5_000_000
const chunkBytesMax = 67_108_864
const videoBytesMax = 4_000_000_000
const chunksMax = 1000
const photosMax = 35

export type VideoInit = { text: string; privacy: string; sizeBytes: number; chunkBytes: number; chunkCount: number }
export type PhotoInit = { text: string; privacy: string; urls: string[] }

const everyone = 'PUBLIC_TO_EVERYONE'

/** TikTok counts lengths in UTF-16 code units, as JavaScript does. */
export function readVideoInit(fields: Fields, account: Account): VideoInit {
  const info = postInfo(fields)
  const text = textOf(info['title']) ?? ''
  if (text.length > 2200) throw invalidParams('The title is longer than 2200 characters')
  return { text, privacy: privacyOf(info, account), ...readUpload(fields) }
}

/** A video for the inbox has no `post_info`: the person writes everything in the app. */
export function readInboxVideoInit(fields: Fields): VideoInit {
  return { text: '', privacy: everyone, ...readUpload(fields) }
}

function readUpload(fields: Fields): Pick<VideoInit, 'sizeBytes' | 'chunkBytes' | 'chunkCount'> {
  const source = sourceInfo(fields)
  if (source['source'] !== 'FILE_UPLOAD') throw refuseWith(403, 'url_ownership_unverified', 'Please verify the URL property.')
  const sizeBytes = numberOf(source['video_size']) ?? 0
  const chunkBytes = numberOf(source['chunk_size']) ?? 0
  const chunkCount = numberOf(source['total_chunk_count']) ?? 0
  if (!fitsChunks(sizeBytes, chunkBytes, chunkCount)) throw invalidParams('The total chunk count is invalid')
  return { sizeBytes, chunkBytes, chunkCount }
}

/** A small file is one chunk. A large file has equal chunks, and the last one also contains the remainder. */
function fitsChunks(size: number, chunk: number, count: number): boolean {
  if (size < 1 || size > videoBytesMax || count < 1 || count > chunksMax) return false
  if (size < wholeBytesMin) return count === 1 && chunk === size
  return chunk >= wholeBytesMin && chunk <= chunkBytesMax && chunk <= size && count === Math.floor(size / chunk)
}

export function readPhotoInit(fields: Fields, account: Account): PhotoInit {
  const info = postInfo(fields)
  const title = textOf(info['title']) ?? ''
  const text = textOf(info['description']) ?? ''
  if (title.length > 90) throw invalidParams('The title is longer than 90 characters')
  if (text.length > 4000) throw invalidParams('The description is longer than 4000 characters')
  const mode = textOf(fields['post_mode']) ?? ''
  if (fields['media_type'] !== 'PHOTO' || !['DIRECT_POST', 'MEDIA_UPLOAD'].includes(mode))
    throw invalidParams('media_type or post_mode')
  const source = sourceInfo(fields)
  const urls = textsOf(source['photo_images'])
  const cover = numberOf(source['photo_cover_index']) ?? 0
  if (source['source'] !== 'PULL_FROM_URL' || urls.length < 1 || urls.length > photosMax || cover >= urls.length)
    throw invalidParams('photo_images must be 1 to 35 URLs')
  return { text, privacy: isInboxInit(fields) ? everyone : privacyOf(info, account), urls }
}

export function isInboxInit(fields: Fields): boolean {
  return fields['post_mode'] === 'MEDIA_UPLOAD'
}

function postInfo(fields: Fields): Fields {
  return isFields(fields['post_info']) ? fields['post_info'] : {}
}

function sourceInfo(fields: Fields): Fields {
  if (!isFields(fields['source_info'])) throw invalidParams('source_info is required')
  return fields['source_info']
}

function privacyOf(info: Fields, account: Account): string {
  const level = textOf(info['privacy_level'])
  if (level === undefined || !privacyOptionsOf(account).includes(level))
    throw refuseWith(403, 'privacy_level_option_mismatch', 'privacy_level is not one of privacy_level_options')
  if (info['brand_content_toggle'] === true && level === 'SELF_ONLY') throw invalidParams('Branded content cannot be private')
  return level
}
