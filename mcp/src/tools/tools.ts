import type { Tool } from '../tool.ts'
import { changeSchedule } from './change-schedule.ts'
import { checkPost } from './check-post.ts'
import { getContext } from './get-context.ts'
import { getFigures } from './get-figures.ts'
import { addMedia, findMedia } from './media.ts'
import { publishPost } from './publish-post.ts'
import { getPost, listPosts } from './read-posts.ts'
import { removePost } from './remove-post.ts'
import { retryPost } from './retry-post.ts'
import { saveDraft } from './save-draft.ts'

/** All tools, in the order in which a client shows them. */
export const tools: readonly Tool[] = [
  getContext,
  checkPost,
  saveDraft,
  publishPost,
  getPost,
  listPosts,
  changeSchedule,
  retryPost,
  removePost,
  findMedia,
  addMedia,
  getFigures,
]
