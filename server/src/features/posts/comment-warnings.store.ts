import { warningTexts } from '@carillon/contract'
import { sql } from 'kysely'
import type { Tx } from '../../infra/db/db.ts'
import { idArray } from '../../infra/db/id-array.ts'

export const unknownPostWarning = warningTexts.comment_post_unknown

/** The comment may be on the platform, so it is not sent again. */
export const lostAnswerWarning = warningTexts.comment_answer_lost

const prefix = 'The first comment '

type EndedComment = { workspace_id: string; channel_id: string; warning: string | null }

/** A channel tells the last that is known of its first comment. The caller has locked the posts. */
export async function replaceCommentWarnings(tx: Tx, comments: readonly EndedComment[]): Promise<void> {
  if (comments.length === 0) return
  await sql`
    update channel c
    set warnings = (
      select coalesce(jsonb_agg(w.value order by w.position), '[]'::jsonb)
      from jsonb_array_elements(c.warnings) with ordinality as w (value, position)
      where not starts_with(w.value #>> '{}', ${prefix})
    ) || case when t.warning is null then '[]'::jsonb else jsonb_build_array(t.warning) end
    from unnest(
      ${idArray(comments, (comment) => comment.workspace_id)}::text[],
      ${idArray(comments, (comment) => comment.channel_id)}::text[],
      ${comments.map((comment) => comment.warning)}::text[]
    ) as t (workspace_id, id, warning)
    where c.workspace_id = t.workspace_id and c.id = t.id`.execute(tx)
}
