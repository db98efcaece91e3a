import { warningTexts } from '@carillon/contract'

export const unknownPostWarning = warningTexts.comment_post_unknown

/** The comment may be on the platform, so it is not sent again. */
export const lostAnswerWarning = warningTexts.comment_answer_lost

/** The platform was asked when every new post is in its lists. A person decides whether the comment is sent again. */
export const notFoundWarning = warningTexts.comment_not_found

const prefix = 'The first comment '

/** True for a warning about an earlier attempt at the first comment. */
export function isCommentWarning(warning: string): boolean {
  return warning.startsWith(prefix)
}
