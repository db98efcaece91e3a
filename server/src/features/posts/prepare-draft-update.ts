import type { Post, PostChange } from '@carillon/contract'
import type { Context } from '../../context.ts'
import { Answer } from '../../infra/http/request-scope.ts'
import type { Prepared } from '../../infra/http/serve-prepared.ts'
import { fetchNamedFiles } from './files/fetch-named-files.ts'
import { prepareWithFiles } from './files/prepare-with-files.ts'
import { updateScheduledPost } from './schedule/update-scheduled-post.ts'
import { updateDraft } from './update-draft.ts'

type Call = { ctx: Context; principal: { workspaceId: string }; params: { id: string }; body: PostChange }

/** Prepares a change of a draft or of a scheduled post: files that it names by URL are fetched first, while no transaction is open. */
export function prepareDraftUpdate({ ctx, principal, params, body }: Call): Promise<Prepared<Post>> {
  return prepareWithFiles(ctx, async (stored) => {
    const change = await fetchNamedFiles(ctx, body, { workspaceId: principal.workspaceId, stored })
    return {
      async store(scope) {
        const update = body.keepSchedule ? updateScheduledPost : updateDraft
        const post = await update(scope, params.id, change)
        return new Answer(post, { subjectId: post.uploadId })
      },
    }
  })
}
