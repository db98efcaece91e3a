import type { PlatformContext } from '../../state/platform-context.ts'
import type { Tag } from '../../state/entities.ts'
import { fetchFile } from '../../http/fetch-file.ts'
import { endProcessing, metaUserAgent } from '../meta/container.ts'
import type { Container } from './container.ts'
import { jpegSize } from './jpeg-size.ts'

const imageBytesMax = 8_000_000
const reelBytesMax = 300_000_000
const storyBytesMax = 100_000_000
const videos = ['video/mp4', 'video/quicktime']
const ratioMin = 4 / 5
const ratioMax = 1.91

const unreachable = 2_207_052
const imageTooLarge = 2_207_004
const imageFormat = 2_207_005
const ratioWrong = 2_207_009
const videoFormat = 2_207_026
const uploadFailed = 2_207_053

type Source = { url: string; isVideo: boolean; alt: string; tags: readonly Tag[]; mediaId: string }

/** Instagram accepts media only by URL, and fetches it after replying to the request that creates the container. */
export async function fetchMedia(
  context: PlatformContext,
  container: Container,
  { url, isVideo, alt, tags, mediaId }: Source,
): Promise<void> {
  try {
    const { ok, mime, bytes } = await fetchFile(url, { userAgent: metaUserAgent })
    if (!ok) container.error = unreachable
    else container.error = isVideo ? findVideoError(container, mime, bytes) : findImageError(container, bytes)
    if (container.error !== undefined) return
    const { processingMs, imageProcessingMs, processingFails } = context.settings
    const readyAtMs = context.readyAtMs(isVideo ? processingMs : imageProcessingMs)
    const { account } = container
    container.media.push(
      context.simulator.media.add(context.name, { id: mediaId, account, mime, bytes, alt, tags, readyAtMs, fetchedFrom: url }),
    )
    endProcessing(container, { readyAtMs, failure: processingFails ? uploadFailed : undefined })
  } catch {
    container.error = unreachable
  }
}

function findVideoError({ kind }: Container, mime: string, bytes: Buffer): number | undefined {
  const tooLarge = bytes.length > (kind === 'STORIES' ? storyBytesMax : reelBytesMax)
  return tooLarge || !videos.includes(mime) ? videoFormat : undefined
}

function findImageError({ kind }: Container, bytes: Buffer): number | undefined {
  if (bytes.length > imageBytesMax) return imageTooLarge
  const size = jpegSize(bytes)
  if (!size) return imageFormat
  const ratio = size.width / size.height
  return kind !== 'STORIES' && (ratio < ratioMin || ratio > ratioMax) ? ratioWrong : undefined
}
