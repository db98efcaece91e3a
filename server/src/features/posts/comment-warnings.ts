const prefix = 'The first comment '

export const unknownPostWarning = `${prefix}was not posted: the platform’s id of the post is not known.`

/** The comment may be on the platform, so it is not sent again. */
export const lostAnswerWarning = `${prefix}may not have been posted: its answer was lost.`

/** The platform was asked when every new post is in its lists. A person decides whether the comment is sent again. */
export const notFoundWarning = `${prefix}was not found on the platform. Retry the post to send the comment again.`

/** True for a warning about an earlier attempt at the first comment. */
export function isCommentWarning(warning: string): boolean {
  return warning.startsWith(prefix)
}
