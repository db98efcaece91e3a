const commentStart = 'comment-'

/** Where posts and comments are numbered apart, a comment is marked as one. */
export function commentIdOf(id: number): string {
  return `${commentStart}${id}`
}

/** The number of a comment, or undefined for a post. */
export function readCommentId(postId: string): string | undefined {
  return postId.startsWith(commentStart) ? postId.slice(commentStart.length) : undefined
}
