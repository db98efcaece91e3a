import type { PostStatus } from '@carillon/sdk'

/** In the order in which a post has them. */
export const postStatuses = [
  'draft',
  'scheduled',
  'queued',
  'publishing',
  'completed',
  'partial_failure',
  'failed',
] as const satisfies readonly PostStatus[]
