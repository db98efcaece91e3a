import { sql } from 'kysely'

// These expressions must be written as in the indexes of `post`. They are not COALESCE: with row-level security, PostgreSQL uses no index
// for a condition that contains it.

/** The scheduled time, or the creation time of a post without one; index `post_day`. */
export const scheduledOrCreated = sql<Date>`case when post.scheduled_at is null then post.created_at else post.scheduled_at end`

/** The time of publication, or the creation time of a post that was not published; index `post_unscheduled`. */
export const publishedOrCreated = sql<Date>`case when post.published_at is null then post.created_at else post.published_at end`
