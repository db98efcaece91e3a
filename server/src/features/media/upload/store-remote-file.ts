import type { BodyOf, Media, media } from '@carillon/contract'
import type { Context } from '../../../context.ts'
import { EgressError } from '../../../infra/egress/egress-error.ts'
import { Answer } from '../../../infra/http/request-scope.ts'
import type { Prepared } from '../../../infra/http/serve-prepared.ts'
import { type Detail, problem } from '../../../infra/problem/problem.ts'
import { presentItem } from '../present-media.ts'
import { type StoredFile, discardStoredFile, insertStoredFile, storeStream } from './store-file.ts'

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

type Call = { ctx: Context; principal: { workspaceId: string }; body: BodyOf<typeof media.fetch> }

/** Fetches a file while no transaction is open, ready to be added to the library. */
export async function fetchMedia({ ctx, principal, body }: Call): Promise<Prepared<Media>> {
  const stored = await storeRemoteFile(ctx, { workspaceId: principal.workspaceId, url: body.url, path: 'url' })
  return {
    fingerprint: null,
    async store({ tx }) {
      const row = await insertStoredFile(ctx, tx, stored)
      return new Answer(await presentItem(ctx, tx, row), { subjectId: row.id })
    },
    discard: () => discardStoredFile(ctx, stored),
  }
}
