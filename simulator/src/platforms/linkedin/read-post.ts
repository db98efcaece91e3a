import { isFields, listOf, textOf, type Fields } from '../../http/fields.ts'
import type { Account, Media } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { stateOfAsset, type Asset } from './asset.ts'
import { accessDenied, invalidField, refuseRest } from './errors.ts'
import { showLittleText } from './show-little-text.ts'

const textMax = 3000
const altMax = 4086
const articleTitleMax = 400
const visibilities = ['PUBLIC', 'CONNECTIONS', 'LOGGED_IN', 'CONTAINER']

export type PostRequest = { commentary: string; text: string; media: Media[]; content: Fields | undefined; isVideo: boolean }

type Owner = { context: PlatformContext; account: Account; assets: ReadonlyMap<string, Asset> }

/** Checks the fields of a post as /rest/posts does. */
export function readPost(fields: Fields, owner: Owner): PostRequest {
  for (const name of ['author', 'commentary', 'visibility', 'distribution', 'lifecycleState']) {
    if (fields[name] === undefined) throw refuseRest(400, 'MISSING_FIELD', `Field ${name} is required`)
  }
  if (textOf(fields['author']) !== owner.account.id) throw accessDenied('Author does not match the token.')
  if (!visibilities.includes(textOf(fields['visibility']) ?? ''))
    throw invalidField('visibility', `one of ${visibilities.join()}`)
  if (fields['lifecycleState'] !== 'PUBLISHED') throw invalidField('lifecycleState', 'only PUBLISHED')
  const { distribution } = fields
  if (!isFields(distribution) || !['MAIN_FEED', 'NONE'].includes(textOf(distribution['feedDistribution']) ?? ''))
    throw invalidField('distribution.feedDistribution', 'MAIN_FEED or NONE')

  const commentary = textOf(fields['commentary']) ?? ''
  const text = showLittleText(commentary)
  // The documentation does not say whether escapes count. The simulator assumes that only visible characters count.
  if (text.length > textMax) throw refuseRest(400, 'FIELD_LENGTH_TOO_LONG', `commentary is longer than ${textMax} characters`)
  const content = isFields(fields['content']) ? fields['content'] : undefined
  const attached = content ? readContent(content, owner) : []
  if (text.trim() === '' && !content) throw invalidField('commentary', 'a post needs text or content')
  return { commentary, text, content, isVideo: attached.some(({ mime }) => mime.startsWith('video/')), media: attached }
}

function readContent(content: Fields, owner: Owner): Media[] {
  const kinds = ['media', 'multiImage', 'article', 'poll'].filter((kind) => content[kind] !== undefined)
  if (kinds.length !== 1) throw invalidField('content', 'exactly one of media, multiImage, article, poll')
  const { media, multiImage, article } = content
  if (isFields(media)) return [attach(media, owner, false)]
  if (isFields(multiImage)) {
    const images = listOf(multiImage['images']).filter(isFields)
    if (images.length < 2 || images.length > 20) throw invalidField('content.multiImage.images', '2 to 20')
    return images.map((image) => attach(image, owner, true))
  }
  if (isFields(article)) checkArticle(article, owner)
  return []
}

/** LinkedIn does not read the page: the article shows what the request says, and nothing else. */
function checkArticle(article: Fields, owner: Owner): void {
  const title = textOf(article['title']) ?? ''
  if (!URL.canParse(textOf(article['source']) ?? '') || title === '')
    throw invalidField('content.article', 'source and title are required')
  if (title.length > articleTitleMax)
    throw refuseRest(400, 'FIELD_LENGTH_TOO_LONG', `title is longer than ${articleTitleMax} characters`)
  const { description = '', thumbnail } = article
  if (typeof description !== 'string') throw invalidField('content.article.description', 'a text')
  if (description.length >= altMax)
    throw refuseRest(400, 'FIELD_LENGTH_TOO_LONG', `description is not shorter than ${altMax} characters`)
  // An image of the same owner that LinkedIn has converted, as everywhere else.
  if (thumbnail !== undefined) attach({ id: thumbnail }, owner, true)
}

function attach(named: Fields, { context, account, assets }: Owner, imagesOnly: boolean): Media {
  const urn = textOf(named['id']) ?? ''
  const asset = assets.get(urn)
  if (!asset || (imagesOnly && asset.kind !== 'image')) throw refuseRest(400, 'INVALID_IMAGE_ID', `${urn} is not valid here`)
  if (asset.account !== account) throw accessDenied('Accessing this image resource is forbidden')
  const state = stateOfAsset(asset, context.now())
  if (state === 'PROCESSING_FAILED')
    throw refuseRest(400, 'MEDIA_ASSET_PROCESSING_FAILED', `Media asset ${urn} failed processing`)
  // An image or document that is seconds old: github.com/gitroomhq/postiz-app, linkedin.provider.ts, waits for it and tries this answer again.
  if (state === 'PROCESSING' && asset.kind !== 'video') throw accessDenied(`Accessing this ${asset.kind} resource is forbidden`)
  if (state !== 'AVAILABLE') throw refuseRest(400, 'MEDIA_ASSET_WAITING_UPLOAD', `Media asset ${urn} is waiting upload`)
  const title = textOf(named['title']) ?? ''
  if (asset.kind === 'document' && title === '') throw refuseRest(400, 'MISSING_FIELD', 'content.media.title is required')
  const alt = textOf(named['altText']) ?? ''
  if (alt.length > altMax) throw refuseRest(400, 'FIELD_LENGTH_TOO_LONG', `altText is longer than ${altMax} characters`)
  const bytes = asset.bytes ?? Buffer.alloc(0)
  const mime = asset.mime ?? 'application/octet-stream'
  // Only images have an alternative text. For a document the simulator stores its title there.
  const shown = { image: alt, document: title, video: '' }[asset.kind]
  return context.simulator.media.add(context.name, { id: urn, account, mime, bytes, alt: shown, readyAtMs: asset.readyAtMs })
}
