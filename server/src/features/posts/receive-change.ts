import type { Post, PostChange } from '@carillon/contract'
import type { Context } from '../../context.ts'
import type { Prepared } from '../../infra/http/serve-prepared.ts'
import { fetchNamed } from './files/fetch-named.ts'
import { keepFiles } from './files/keep-files.ts'
import { updateDraft } from './update-draft.ts'

type Call = { ctx: Context; principal: { workspaceId: string }; params: { id: string }; body: PostChange }

/** Takes in a change of a draft; files it names by address are fetched first, without a transaction. */
export function receiveChange({ ctx, principal, params, body }: Call): Promise<Prepared<Post>> {
  return keepFiles(ctx, async (kept) => {
    const change = await fetchNamed(ctx, body, { workspaceId: principal.workspaceId, kept })
    return { store: (scope) => updateDraft(scope, params.id, change) }
  })
}
