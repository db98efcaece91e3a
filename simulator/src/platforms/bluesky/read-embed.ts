import { isFields, listOf, numberOf, textOf, type Fields } from '../../http/fields.ts'
import type { Account, Media } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { invalidRequest } from './errors.ts'

const imageBytesMax = 2_000_000
const imagesMax = 4
const galleryMax = 20
const videoBytesMax = 300_000_000
/** Half of what an image of a post may have: lexicons/app/bsky/embed/external.json in github.com/bluesky-social/atproto. */
const thumbBytesMax = 1_000_000

/** Bluesky checks the size and type of a blob when a record refers to it, not when it is uploaded. */
export function readEmbed(context: PlatformContext, account: Account, record: Fields): Media[] {
  const { embed } = record
  if (embed === undefined) return []
  if (!isFields(embed) || typeof embed['$type'] !== 'string')
    throw wrong('Record/embed must be an object which includes the "$type" property')
  const type = embed['$type']
  if (type === 'app.bsky.embed.recordWithMedia') return readEmbed(context, account, { embed: embed['media'] })
  if (type === 'app.bsky.embed.images' || type === 'app.bsky.embed.gallery') {
    const isGallery = type.endsWith('gallery')
    const items = listOf(embed[isGallery ? 'items' : 'images'])
    const max = isGallery ? galleryMax : imagesMax
    if (items.length > max) throw wrong(`Record/embed/images must not have more than ${max} elements`)
    if (isGallery) for (const item of items) checkGalleryItem(item)
    return items.map((item) => readImage(context, account, item))
  }
  if (type === 'app.bsky.embed.video') {
    const video = loadBlob(context, account, embed['video'], { accept: 'video/mp4', bytesMax: videoBytesMax })
    video.alt = textOf(embed['alt']) ?? ''
    return [video]
  }
  if (type === 'app.bsky.embed.external') checkCard(context, account, embed['external'])
  return []
}

/** A card has an address and two texts, which may be empty but not absent. Its picture is a blob like any other. */
function checkCard(context: PlatformContext, account: Account, card: unknown): void {
  if (!isFields(card)) throw wrong('Record/embed must have the property "external"')
  for (const name of ['uri', 'title', 'description'])
    if (typeof card[name] !== 'string') throw wrong(`Record/embed/external must have the property "${name}"`)
  if (!URL.canParse(String(card['uri']))) throw wrong('Record/embed/external/uri must be a uri')
  if (card['thumb'] !== undefined) loadBlob(context, account, card['thumb'], { accept: 'image/', bytesMax: thumbBytesMax })
}

/** The items of a gallery are a union, and their shape is required: lexicons/app/bsky/embed/gallery.json in github.com/bluesky-social/atproto. */
function checkGalleryItem(item: unknown): void {
  const { $type: type, aspectRatio } = isFields(item) ? item : {}
  if (type !== 'app.bsky.embed.gallery#image')
    throw wrong('Record/embed/items must be an object which includes the "$type" property')
  const { width, height } = isFields(aspectRatio) ? aspectRatio : {}
  const isSide = (side: unknown) => Number.isInteger(side) && Number(side) >= 1
  if (!isSide(width) || !isSide(height)) throw wrong('Record/embed/items must have the property "aspectRatio"')
}

function readImage(context: PlatformContext, account: Account, item: unknown): Media {
  if (!isFields(item) || typeof item['alt'] !== 'string') throw wrong('Record/embed/images must have the property "alt"')
  const image = loadBlob(context, account, item['image'], { accept: 'image/', bytesMax: imageBytesMax })
  // The same blob can have another alternative text in another post.
  return { ...image, alt: item['alt'] }
}

/** Every repository has its own blobs: two accounts can upload the same file, which has the same CID. */
export function blobIdOf({ handle }: Account, cid: string): string {
  return `${handle}-${cid}`
}

function loadBlob(
  context: PlatformContext,
  account: Account,
  blob: unknown,
  { accept, bytesMax }: { accept: string; bytesMax: number },
): Media {
  const ref = isFields(blob) && isFields(blob['ref']) ? textOf(blob['ref']['$link']) : undefined
  if (!isFields(blob) || blob['$type'] !== 'blob' || ref === undefined) throw wrong('Record/embed should be a blob ref')
  const media = context.simulator.media.find(context.name, blobIdOf(account, ref))
  if (!media) throw invalidRequest(`Could not find blob: ${ref}`, 'BlobNotFound')
  if (!media.mime.startsWith(accept))
    throw invalidRequest(`Wrong type of file. It is ${media.mime} but it must match ${accept}*.`, 'InvalidMimeType')
  if (media.sizeBytes > bytesMax)
    throw invalidRequest(
      `This file is too large. It is ${media.sizeBytes} bytes but the maximum size is ${bytesMax} bytes.`,
      'BlobTooLarge',
    )
  if (numberOf(blob['size']) !== media.sizeBytes)
    throw invalidRequest(`Referenced blob size does not match stored blob: ${ref}`, 'InvalidSize')
  return media
}

function wrong(reason: string) {
  return invalidRequest(`Invalid app.bsky.feed.post record: ${reason}`)
}
