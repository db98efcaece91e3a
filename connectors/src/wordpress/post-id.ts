import { readCommentId } from '../kit/comment-id.ts'

/** The path of a post or a comment below the API. */
export function pathOf(postId: string): string {
  const comment = readCommentId(postId)
  return comment === undefined ? `/posts/${encodeURIComponent(postId)}` : `/comments/${encodeURIComponent(comment)}`
}
