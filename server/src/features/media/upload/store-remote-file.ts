import type { Context } from '../../../context.ts'
import { EgressError } from '../../../infra/egress/egress-error.ts'
import { problem, type Detail } from '../../../infra/problem/problem.ts'
import type { StoredFile } from './store-file.ts'
import { storeStream } from './store-stream.ts'

const fetchTimeoutMs = 300_000

/** Fetches a file from a URL that a person gave and stores it. `path` is the field that an error message names. */
export async function storeRemoteFile(
  ctx: Context,
  { workspaceId, url, path = 'medias' }: { workspaceId: string; url: string; path?: string },
): Promise<StoredFile> {
  const refuse = (message: string, cause?: unknown) => notFetched({ path, message }, cause)
  try {
    const request = {
      method: 'GET',
      url,
      timeoutMs: fetchTimeoutMs,
      bytesMax: ctx.config.media.sizeBytesMax,
      https: false,
      redirects: 3,
    } as const
    const reply = await ctx.egress.open(request)
    if (reply.status !== 200) {
      reply.body.destroy()
      throw refuse(`Its host answered ${reply.status}.`)
    }
    return await storeStream(ctx, { workspaceId, name: nameOf(reply.url), source: reply.body })
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    const isRefused = error.code === 'blocked_address' || error.code === 'bad_url'
    if (isRefused) throw problem('url_refused', { details: [{ path, message: error.message }], cause: error })
    if (error.code === 'too_large')
      throw problem('media_too_large', { details: [{ path, message: error.message }], cause: error })
    throw refuse(error.message, error)
  }
}

/** The last segment of the URL, used only for display. */
function nameOf(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

function notFetched(detail: Detail, cause: unknown) {
  return problem('media_not_fetched', { message: `The file could not be fetched. ${detail.message}`, details: [detail], cause })
}
