import type { PlatformContext } from '../../state/platform-context.ts'
import { fetchFile } from '../../http/fetch-file.ts'
import { endProcessing, metaUserAgent } from '../meta/container.ts'
import type { Container } from './container.ts'

const bytesMax = { IMAGE: 8_000_000, VIDEO: 1_000_000_000 }
const mimes = { IMAGE: ['image/jpeg', 'image/png'], VIDEO: ['video/mp4', 'video/quicktime'] }

/** Threads accepts media only by URL, and fetches it after replying to the request that creates the container. */
export async function fetchMedia(
  context: PlatformContext,
  container: Container,
  from: { url: string; alt: string; mediaId: string },
): Promise<void> {
  const kind = container.kind === 'VIDEO' ? 'VIDEO' : 'IMAGE'
  const failed = kind === 'VIDEO' ? 'FAILED_DOWNLOADING_VIDEO' : 'The media could not be fetched from this URI.'
  try {
    const { ok, mime, bytes } = await fetchFile(from.url, { userAgent: metaUserAgent })
    if (!ok) container.error = failed
    else if (!mimes[kind].includes(mime) || bytes.length > bytesMax[kind])
      container.error = kind === 'VIDEO' ? 'FAILED_PROCESSING_VIDEO' : failed
    else {
      const { processingMs, imageProcessingMs, processingFails } = context.settings
      const readyAtMs = context.readyAtMs(kind === 'VIDEO' ? processingMs : imageProcessingMs)
      container.media.push(
        context.simulator.media.add(context.name, {
          id: from.mediaId,
          account: container.account,
          mime,
          bytes,
          alt: from.alt,
          readyAtMs,
        }),
      )
      endProcessing(container, { readyAtMs, failure: processingFails ? 'UNKNOWN' : undefined })
    }
  } catch {
    container.error = failed
  }
}
