import type { Post, PostChange } from '@carillon/contract'
import type { Context } from '../context.ts'
import type { Prepared } from '../http/serve-prepared.ts'
import { discardKept, insertKept, type Kept } from '../media/store-file.ts'
import { fetchNamed } from './fetch-named.ts'
import { updateDraft } from './update-draft.ts'

type Call = { ctx: Context; principal: { workspaceId: string }; params: { id: string }; body: PostChange }

/** Takes in a change of a draft; files it names by address are fetched first, without a transaction. */
export async function receiveChange({ ctx, principal, params, body }: Call): Promise<Prepared<Post>> {
  const kept: Kept[] = []
  const discard = async () => {
    await Promise.all(kept.map((file) => discardKept(ctx, file)))
  }
  try {
    const change = await fetchNamed(ctx, body, { workspaceId: principal.workspaceId, kept })
    return {
      fingerprint: null,
      async store(asked) {
        for (const file of kept) await insertKept(asked.tx, file)
        return updateDraft(asked, params.id, change)
      },
      discard,
    }
  } catch (error) {
    await discard()
    throw error
  }
}
