import type { BodyOf, Media, media } from '@carillon/contract'
import type { Context } from '../../../context.ts'
import { Answer } from '../../../infra/http/request-scope.ts'
import type { Prepared } from '../../../infra/http/serve-prepared.ts'
import { presentItem } from '../present-media.ts'
import { discardStoredFile, insertStoredFile } from './store-file.ts'
import { storeRemoteFile } from './store-remote-file.ts'

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
