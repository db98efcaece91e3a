const commentStart = 'comment-'

/** Posts and comments are numbered apart, so a comment is marked as one. */
export function commentIdOf(id: number): string {
  return `${commentStart}${id}`
}

/** The path of a post or a comment below the API. */
export function pathOf(postId: string): string {
  const isComment = postId.startsWith(commentStart)
  return `/${isComment ? 'comments' : 'posts'}/${encodeURIComponent(isComment ? postId.slice(commentStart.length) : postId)}`
}
